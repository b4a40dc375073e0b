import { runWorld } from '../../support/run-world.ts';

interface Settings {
  kills: string;
  seed?: string | undefined;
  naive: boolean;
}

/** Runs the chaos of pools. @returns the exit code */
export const runPoolChaos = ({ kills, seed, naive }: Settings): Promise<number> =>
  runWorld(
    'chaos',
    { CHAOS_KILLS: kills, CHAOS_SEED: seed, CHAOS_NAIVE: naive ? '1' : '0' },
    'bench/chaos/pools',
  );
