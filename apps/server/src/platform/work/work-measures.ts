import { Counter, Gauge, Histogram, type Metric, type Registry } from 'prom-client';

const BUCKETS = [0.01, 0.1, 0.5, 1, 5, 30, 120, 600];

/** One set for the process, whatever registry shows it: loops are started in many places. */
const turnSeconds = new Histogram({
  name: 'copydesk_turn_seconds',
  help: 'Time of one turn of a work loop',
  labelNames: ['loop'],
  buckets: BUCKETS,
  registers: [],
});
const turnsFailed = new Counter({
  name: 'copydesk_turns_failed_total',
  help: 'Turns of a work loop that failed',
  labelNames: ['loop'],
  registers: [],
});
const turnEnded = new Gauge({
  name: 'copydesk_turn_ended_timestamp_seconds',
  help: 'When a turn of a work loop last ended, in seconds since 1970',
  labelNames: ['loop'],
  registers: [],
});
const jobSeconds = new Histogram({
  name: 'copydesk_job_seconds',
  help: 'Time of one run of a scheduled job',
  labelNames: ['task'],
  buckets: BUCKETS,
  registers: [],
});
const jobsFailed = new Counter({
  name: 'copydesk_jobs_failed_total',
  help: 'Runs of a scheduled job that failed',
  labelNames: ['task'],
  registers: [],
});

/** Shows the turns and jobs of this process. */
export function registerWorkMeasures(registry: Registry): void {
  for (const metric of [turnSeconds, turnsFailed, turnEnded, jobSeconds, jobsFailed] as Metric[])
    registry.registerMetric(metric);
}

/** Starts at zero: a series that appears with its first failure has no rate. */
export function measureLoop(loop: string): void {
  turnsFailed.inc({ loop }, 0);
  turnEnded.set({ loop }, Date.now() / 1_000);
}

export const measureTurn = <T>(loop: string, turn: () => Promise<T>): Promise<T> =>
  measure(turn, {
    ended(seconds) {
      turnSeconds.observe({ loop }, seconds);
      turnEnded.set({ loop }, Date.now() / 1_000);
    },
    failed: () => turnsFailed.inc({ loop }),
  });

/** The same for a scheduled job. */
export function measureJob(job: string): void {
  jobsFailed.inc({ task: job }, 0);
}

export const measureRun = <T>(job: string, run: () => Promise<T>): Promise<T> =>
  measure(run, {
    ended: (seconds) => jobSeconds.observe({ task: job }, seconds),
    failed: () => jobsFailed.inc({ task: job }),
  });

async function measure<T>(
  work: () => Promise<T>,
  { ended, failed }: { ended(seconds: number): void; failed(): void },
): Promise<T> {
  const startedAt = performance.now();
  try {
    return await work();
  } catch (error) {
    failed();
    throw error;
  } finally {
    ended((performance.now() - startedAt) / 1_000);
  }
}
