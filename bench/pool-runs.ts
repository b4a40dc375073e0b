import { runWorld } from './support/run-world.ts';

/** Two hundred pools started at once. The file prints its figures itself: it runs with the runner of tests. */
export async function benchPoolRuns(): Promise<void> {
  if ((await runWorld('pool-runs', {})) !== 0) throw new Error('the pools were not started');
}
