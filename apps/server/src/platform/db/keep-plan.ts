import { sql } from 'kysely';
import type { Tx } from './database.ts';

/**
 * Has PostgreSQL keep the plans of the statements that follow in this transaction, for a scope of several providers. It
 * takes a list of providers for ten until it knows them, finds that plan dear, and plans a page again for each request:
 * a third of its processor time. Only for statements whose plan does not depend on their values.
 */
export async function keepPlan(tx: Tx): Promise<void> {
  if (tx.scope.kind === 'all' || tx.scope.providerIds.length < 2) return;
  await sql`SELECT set_config('plan_cache_mode', 'force_generic_plan', true)`.execute(tx.sql);
}
