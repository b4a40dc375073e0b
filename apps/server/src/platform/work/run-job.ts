import type { Logger } from '../observe/log.ts';
import { withLogFields } from '../observe/log-context.ts';
import { inSpan } from '../observe/tracing.ts';
import { measureRun } from './work-measures.ts';

/** Runs a scheduled job with its name and id on each line of the log, and says how it ended. Its error is thrown on. */
export function runJob(
  { name, id, log }: { name: string; id: string; log: Logger },
  run: () => Promise<unknown>,
): Promise<void> {
  return withLogFields(
    () => ({ job: name, jobId: id }),
    () =>
      inSpan(`job ${name}`, { kind: 'consumer' }, async () => {
        const startedAt = performance.now();
        try {
          await measureRun(name, run);
          log.info({ ms: Math.round(performance.now() - startedAt) }, 'job done');
        } catch (error) {
          // The queue repeats the job, but does not log the error.
          log.error({ err: error }, 'job failed');
          throw error;
        }
      }),
  );
}
