import { type RawBuilder, sql } from 'kysely';
import { type FigureSource, sumOfItems } from '../../core/overview/figure-source.ts';
import type { AnyTx } from '../../platform/db/database.ts';
import { failedPayouts, stuckPayouts } from './attention.views.ts';
import { isFirstPart, ownRows } from './history/payout-filters.ts';

/** Shares that no payout has yet, by community. For super admins. */
export const toPayOut: FigureSource = {
  rows: () => sql`
    SELECT NULL::uuid AS provider_id, sum(y.amount_units) AS units, count(*) AS n, y.community_id::text AS subject
    FROM payable y WHERE y.payout_id IS NULL AND y.settled_at IS NULL GROUP BY y.community_id`,
};

/** Payouts that have arrived, by the day of their order: as the list filters and sums them. */
export const arrived = (tx: AnyTx, from: RawBuilder<unknown>) => sql`
    SELECT s.provider_id, s.period AS day, s.amount_units AS units,
      CASE WHEN ${isFirstPart(tx)} THEN s.payouts ELSE 0 END AS n
    FROM payout_sum s
    WHERE ${ownRows(tx, 's')} AND s.grain = 'day' AND s.period >= ${from} AND s.status = 'distributed'`;

/** Of this month (UTC). */
export const paidOut: FigureSource = {
  rows: (tx) => arrived(tx, sql`date_trunc('month', app.utc_day(now()))::date`),
  days: arrived,
};

/** For super admins. */
export const failedOrStuck: FigureSource = {
  rows: (tx) => sumOfItems(tx, [{ of: failedPayouts, isPart: true }, { of: stuckPayouts }]),
};
