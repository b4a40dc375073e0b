import { FAILED_RUNS } from '@copydesk/domain/attention';
import { sql } from 'kysely';
import type { AttentionSource } from '../../core/attention/attention-source.ts';
import { failedSyncs } from './failed-syncs.views.ts';

/** Recurring jobs that fail again and again, and what was given up of a vendor: each queue and job once. */
export const failingWork: AttentionSource = {
  items: () => ({
    from: sql`(
      SELECT s.queue AS work, 'given_up' AS code, s.count AS n, s.since FROM (${failedSyncs}) s
      UNION ALL
      SELECT f.name, 'job', f.runs, f.since FROM failing_job f WHERE f.runs >= ${sql.lit(FAILED_RUNS)}) w`,
    subject: sql`w.work`,
    since: sql`w.since`,
    code: sql`w.code`,
    count: sql`w.n`,
    // While it lasts, the number grows.
    cause: sql`w.code`,
  }),
  about: { from: sql`(VALUES (i.subject)) AS w(name)`, columns: { title: sql`w.name` } },
};
