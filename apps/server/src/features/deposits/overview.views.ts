import { sql } from 'kysely';
import { type DaySources, startOf } from '../../core/overview/figure-source.ts';

/** Deposits that have become final since a day began. */
export const depositedSince: DaySources['deposits'] = (_tx, from) => sql`
  SELECT sum(d.amount_units) AS units, count(*) AS n FROM deposit d WHERE d.created_at >= ${startOf(from)}`;
