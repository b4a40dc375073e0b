import { sql } from 'kysely';
import { type Database, WHOLE_SCOPE } from '../../../platform/db/database.ts';
import { WORKER_ACTOR } from '../../../platform/jobs/worker-actor.ts';

/**
 * Writes today's equity (UTC) of every trader, as each of its providers sees it. It runs every hour; the last values of
 * a day remain. Figures without a reading within the last day are excluded.
 */
export async function snapshotEquity(db: Database): Promise<void> {
  await db.write(WHOLE_SCOPE, WORKER_ACTOR, async (tx) => {
    await sql`
      INSERT INTO equity_snapshot AS s (trader_id, provider_id, day, equity)
      SELECT trader_id, provider_id, app.utc_day(now()), aum FROM trader_provider
      WHERE aum IS NOT NULL AND aum_read_at > now() - interval '1 day'
      ON CONFLICT (trader_id, provider_id, day) DO UPDATE SET equity = excluded.equity
      WHERE s.equity <> excluded.equity`.execute(tx.sql);
  });
}
