import { FIGURE_KEPT_DAYS, FIGURE_NAMES, FIGURES } from '@copydesk/domain/overview';
import { sql } from 'kysely';
import type { FigureSources } from '../../core/overview/figure-source.ts';
import { type Database, WHOLE_SCOPE } from '../../platform/db/database.ts';
import { WORKER_ACTOR } from '../../platform/work/worker-actor.ts';

/**
 * Notes the figures as they are, by provider; the last values of a day (UTC) remain. Every provider has a row, so that a
 * day without anything is not one on which nothing was noted.
 */
export async function noteFigures(db: Database, sources: FigureSources): Promise<void> {
  await db.write(WHOLE_SCOPE, WORKER_ACTOR, async (tx) => {
    for (const name of FIGURE_NAMES) {
      if (sources[name].days) continue;
      const units = FIGURES[name].hasAmount ? sql`coalesce(f.units, 0)` : sql`NULL::numeric`;
      await sql`
        WITH f AS MATERIALIZED (
          SELECT r.provider_id, sum(r.units) AS units, sum(r.n) AS n FROM (${await sources[name].rows(tx)}) r GROUP BY 1)
        INSERT INTO figure_day AS d (name, day, provider_id, amount_units, n)
        SELECT ${sql.lit(name)}, app.utc_day(now()), p.id, ${units}, coalesce(f.n, 0)
        FROM (SELECT id FROM provider UNION ALL SELECT NULL) p LEFT JOIN f ON f.provider_id IS NOT DISTINCT FROM p.id
        ON CONFLICT ON CONSTRAINT figure_day_once DO UPDATE SET amount_units = excluded.amount_units, n = excluded.n
        WHERE (d.amount_units, d.n) IS DISTINCT FROM (excluded.amount_units, excluded.n)`.execute(tx.sql);
    }
    await sql`DELETE FROM figure_day WHERE day < app.utc_day(now()) - ${sql.lit(FIGURE_KEPT_DAYS)}`.execute(
      tx.sql,
    );
  });
}
