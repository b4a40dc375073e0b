import { sql } from 'kysely';
import { FAILED_SYNCS } from '../../platform/work/queue.ts';

/** A job `j`: a subject of a vendor whose reading was given up, until an operator sends it again. */
export const isGivenUp = sql`(j.name = ${sql.lit(FAILED_SYNCS)} AND j.state < 'active')`;

/** What was given up, by queue: how many, since when, and why the oldest. */
export const failedSyncs = sql`
  SELECT j.source_name AS queue, count(*)::int AS count, min(j.created_on) AS since,
    (array_agg(coalesce(j.output ->> 'message', 'unknown') ORDER BY j.created_on))[1] AS reason
  FROM pgboss.job j WHERE ${isGivenUp} GROUP BY 1`;
