import { sql } from 'kysely';
import type { Tx } from './database.ts';

/**
 * Makes PostgreSQL reuse the plans of the following statements in this transaction, for a scope of several providers.
 * The planner assumes ten providers in a list that it does not know, finds that plan expensive, and plans each request
 * again: a third of a page's processor time. Only for statements whose plan does not depend on their values.
 */
export async function keepPlan(tx: Tx): Promise<void> {
  if (tx.scope.kind === 'all' || tx.scope.providerIds.length < 2) return;
  await sql`SELECT set_config('plan_cache_mode', 'force_generic_plan', true)`.execute(tx.sql);
}
