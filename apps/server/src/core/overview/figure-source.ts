import type { DayFact, FigureName } from '@copydesk/domain/overview';
import { type RawBuilder, sql } from 'kysely';
import type { AnyTx } from '../../platform/db/database.ts';
import type { SummedSource } from '../attention/attention-source.ts';

export interface FigureSource {
  /**
   * A statement with the rows in scope that the figure adds up: `provider_id` whose they are (NULL: of super admins),
   * `units` (10^-18 USDT) and `n`; `subject` (text, counted once), `part_units` and `part_n` are read where the figure has them.
   */
  rows: (tx: AnyTx) => RawBuilder<unknown> | Promise<RawBuilder<unknown>>;
  /** Of a flow: a statement with `day`, `units` and `n` of the days since `from`. Others are noted once a day. */
  days?: (tx: AnyTx, from: RawBuilder<unknown>) => RawBuilder<unknown>;
}

/** A figure without a source does not compile. */
export type FigureSources = { readonly [F in FigureName]: FigureSource };

/**
 * What the system did since a day (a date, UTC) began: a statement with one or several rows of `units` (10^-18 USDT; NULL: it
 * has no amount) and `n`. A fact without one does not compile.
 */
export type DaySources = {
  readonly [F in DayFact]: (tx: AnyTx, from: RawBuilder<unknown>) => RawBuilder<unknown>;
};

/** The moment at which a day begins. @param day a date, UTC */
export const startOf = (day: RawBuilder<unknown>) => sql`(${day})::timestamp AT TIME ZONE 'UTC'`;

/**
 * The sum of what needs attention, computed from the same items as the list.
 * @param sources with those that are its part
 */
export async function sumOfItems(
  tx: AnyTx,
  sources: readonly { of: SummedSource; isPart?: boolean }[],
): Promise<RawBuilder<unknown>> {
  const rows: RawBuilder<unknown>[] = [];
  for (const { of, isPart = false } of sources) {
    const { from, subject, providerId, amountUnits, count } = await of.items(tx, '');
    const units = amountUnits ?? sql`NULL::numeric`;
    const n = count ?? sql`1`;
    rows.push(sql`SELECT ${providerId ?? sql`NULL::uuid`} AS provider_id, ${units} AS units, ${n} AS n, ${subject} AS subject,
      ${isPart ? units : sql`NULL::numeric`} AS part_units, ${isPart ? n : sql`NULL::bigint`} AS part_n FROM ${from}`);
  }
  return sql.join(rows, sql` UNION ALL `);
}
