import { sql } from 'kysely';
import { type DaySources, startOf } from '../../core/overview/figure-source.ts';

/** Harvest cycles that have ended since a day began. */
export const harvestedSince: DaySources['harvests'] = (_tx, from) => sql`
  SELECT NULL::numeric AS units, count(*) AS n FROM harvest_cycle h WHERE h.ended_at >= ${startOf(from)}`;
