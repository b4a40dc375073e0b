import type { CallAnswer } from '@copydesk/contract';
import type { OverviewFigure } from '@copydesk/contract/overview';
import { type DayFact, FIGURE_DAYS, FIGURES, type FigureName } from '@copydesk/domain/overview';
import { type RawBuilder, sql } from 'kysely';
import type { DaySources, FigureSources } from '../../core/overview/figure-source.ts';
import type { AnyTx } from '../../platform/db/database.ts';
import { providerInScope } from '../../platform/db/scope-filter.ts';
import { usdt } from '../../platform/db/usdt-text.ts';

const FIRST_DAY = sql`(app.utc_day(now()) - ${sql.lit(FIGURE_DAYS - 1)})`;

/** Figures of one scope, in one statement: each as it is now, and its earlier days. */
export async function readFigures(
  tx: AnyTx,
  sources: FigureSources,
  names: readonly FigureName[],
): Promise<OverviewFigure[]> {
  const parts: RawBuilder<unknown>[] = [];
  for (const name of names) parts.push(await figure(tx, sources, name));
  const { rows } = await sql<{ figure: OverviewFigure }>`${sql.join(parts, sql` UNION ALL `)}`.execute(
    tx.sql,
  );
  return rows.map((row) => row.figure);
}

async function figure(tx: AnyTx, sources: FigureSources, name: FigureName): Promise<RawBuilder<unknown>> {
  const { hasAmount, hasPart, hasSubjects } = FIGURES[name];
  const amount = (units: string) => (hasAmount ? usdt(sql`coalesce(${sql.ref(units)}, 0)`) : sql`NULL::text`);
  const days = sql`coalesce(jsonb_agg(jsonb_build_object('day', d.day::text, 'amount', ${amount('d.units')},
    'count', d.n) ORDER BY d.day), '[]')`;
  const source = sources[name];
  // Today of a flow is a day like the others.
  const series = source.days
    ? sql`SELECT ${days} FROM (SELECT s.day, sum(s.units) AS units, sum(s.n)::int AS n
        FROM (${source.days(tx, FIRST_DAY)}) s GROUP BY s.day) d`
    : sql`SELECT ${days} || jsonb_build_array(jsonb_build_object('day', app.utc_day(now())::text,
          'amount', ${amount('f.units')}, 'count', f.n))
        FROM (SELECT k.day, sum(k.amount_units) AS units, sum(k.n)::int AS n FROM figure_day k
          WHERE k.name = ${sql.lit(name)} AND k.day >= ${FIRST_DAY} AND k.day < app.utc_day(now())
            AND ${providerInScope(tx, 'k.provider_id')} GROUP BY k.day) d`;
  const part = sql`jsonb_build_object('amount', ${amount('f.part_units')}, 'count', f.part_n)`;
  const sums = [
    sql`sum(r.units) AS units, coalesce(sum(r.n), 0)::int AS n`,
    ...(hasSubjects ? [sql`count(DISTINCT r.subject)::int AS subjects`] : []),
    ...(hasPart ? [sql`sum(r.part_units) AS part_units, coalesce(sum(r.part_n), 0)::int AS part_n`] : []),
  ];
  return sql`SELECT jsonb_build_object('name', ${sql.lit(name)}::text, 'amount', ${amount('f.units')}, 'count', f.n,
      'subjects', ${hasSubjects ? sql`f.subjects` : sql`NULL::int`}, 'part', ${hasPart ? part : sql`NULL::jsonb`},
      'days', (${series})) AS figure
    FROM (SELECT ${sql.join(sums)} FROM (${await source.rows(tx)}) r) f`;
}

/** What the system did today (UTC), in one statement. For super admins. */
export async function readDay(
  tx: AnyTx,
  sources: DaySources,
  names: readonly DayFact[],
): Promise<CallAnswer<'GET /api/overview/today'>['data']> {
  const facts = names.map(
    (
      name,
      at,
    ) => sql`SELECT ${sql.lit(at)}::int AS at, ${sql.lit(name)}::text AS name, coalesce(sum(s.n), 0)::int AS count,
      ${usdt(sql`sum(s.units)`)} AS amount FROM (${sources[name](tx, sql`app.utc_day(now())`)}) s`,
  );
  const { rows } = await sql<CallAnswer<'GET /api/overview/today'>['data'][number]>`
    SELECT f.name, f.count, f.amount FROM (${sql.join(facts, sql` UNION ALL `)}) f ORDER BY f.at`.execute(
    tx.sql,
  );
  return rows;
}
