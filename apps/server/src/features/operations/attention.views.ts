import { FAILED_RUNS } from '@copydesk/domain/attention';
import { sql } from 'kysely';
import type { AttentionSource } from '../../core/attention/attention-source.ts';
import { failedSyncs } from './failed-syncs.views.ts';
import type { SetupCheck } from './setup-check.ts';

/**
 * What is left of the set-up, as one item with the steps of the checklist.
 * @param setup null: this process does not know how the API is set up, and says nothing
 */
export const leftOfSetup = (setup: Pick<SetupCheck, 'check'> | null): AttentionSource => ({
  items: async (tx) => {
    const left = setup ? (await setup.check(tx)).filter(({ state }) => state !== 'done') : [];
    return {
      from: sql`(SELECT min(m.applied_at) AS since, ${left.length}::int AS n FROM schema_migration m) s WHERE s.n > 0`,
      subject: sql`'setup'`,
      // A step has no time of its own: it is open since the installation, or since it was undone.
      since: sql`s.since`,
      count: sql`s.n`,
      cause: sql`${left.map(({ step }) => step).join(' ')}::text`,
      marksFrom: sql`now() - interval '30 days'`,
    };
  },
  about: null,
});

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
    // While it lasts, the number grows, so it is not part of the cause.
    cause: sql`w.code`,
  }),
  about: { from: sql`(VALUES (i.subject)) AS w(name)`, columns: { title: sql`w.name` } },
};
