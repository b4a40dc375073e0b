import { sql } from 'kysely';
import { type Database, WHOLE_SCOPE } from '../../../platform/db/database.ts';
import { WORKER_ACTOR } from '../../../platform/work/worker-actor.ts';

/**
 * Adds up the equity snapshots of yesterday and today (UTC) by community and provider, and the pool capital of both days.
 * It runs every hour after the snapshots; the last values of a day remain.
 */
export async function sumCommunityDays(db: Database): Promise<void> {
  await db.write(WHOLE_SCOPE, WORKER_ACTOR, async (tx) => {
    await sql`
      INSERT INTO community_day AS d (community_id, provider_id, day, equity)
      SELECT t.community_id, s.provider_id, s.day, sum(s.equity)
      FROM equity_snapshot s JOIN trader t ON t.id = s.trader_id
      WHERE s.day BETWEEN app.utc_day(now()) - 1 AND app.utc_day(now())
      GROUP BY 1, 2, 3 ORDER BY 1, 3, 2
      ON CONFLICT (community_id, day, provider_id) DO UPDATE SET equity = excluded.equity
      WHERE d.equity IS DISTINCT FROM excluded.equity`.execute(tx.sql);
    await sql`SELECT app.sum_capital_days(app.utc_day(now()) - 1)`.execute(tx.sql);
  });
}
