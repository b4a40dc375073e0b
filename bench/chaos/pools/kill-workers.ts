import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { NODE_FLAGS } from '../../../apps/server/src/launcher/memory-limits.ts';
import type { PoolWorld } from '../../../tests/support/world/pool-world.ts';
import { POOL_STEPS, type PoolStep } from './pool-steps.ts';

const WORKER = fileURLToPath(new URL('./pool-worker.ts', import.meta.url));
const NAIVE_WORKER = fileURLToPath(new URL('./naive-pool-worker.ts', import.meta.url));
/** A step that is not reached within this time is skipped, and tried again at the end. */
const STEP_PATIENCE_MS = 12_000;
const LONGEST_LIFE_MS = 1_500;

export interface Killing {
  kills: number;
  /** Deaths by the step at which a worker killed itself; the others were killed at a random moment. */
  atSteps: Partial<Record<PoolStep, number>>;
}

/** Starts a worker in its own process, which ends with ours. */
export function startWorker(
  world: PoolWorld,
  speed: number,
  { isNaive = false, killAt }: { isNaive?: boolean; killAt?: string | undefined } = {},
): ChildProcess {
  const worker = fork(isNaive ? NAIVE_WORKER : WORKER, {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    execArgv: NODE_FLAGS,
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      DATABASE_URL: world.ownerUrl,
      RPC_URL: world.chain.url,
      TOKEN_ADDRESS: world.chain.token.address,
      VENUE_URL: world.venue.url,
      BOT_URL: world.bot.url,
      BOT_SECRET: world.botSecret,
      CLOCK_START: String(world.venue.startedAt),
      CLOCK_SPEED: String(speed),
      ...(killAt && { KILL_AT: killAt }),
    },
  });
  worker.on('message', (message: 'ready' | { failed: string }) => {
    if (message !== 'ready') failures.set(message.failed, (failures.get(message.failed) ?? 0) + 1);
  });
  return worker;
}

/** Turns of workers that failed, by the message: each is taken again. */
export const failures = new Map<string, number>();

/**
 * Kills workers one after the other, two at a time: at each named step first, then at random moments. The other worker
 * lives on, and meets the traces of the dead one in the middle of the same work.
 */
export async function killWorkers(
  world: PoolWorld,
  {
    kills,
    speed,
    random,
    isNaive,
    prepare = () => {},
  }: {
    kills: number;
    speed: number;
    random: () => number;
    isNaive: boolean;
    /** Receives the step at which the next worker will die; undefined: at any moment. */
    prepare?: (step: PoolStep | undefined) => void;
  },
): Promise<Killing> {
  const steps: (PoolStep | undefined)[] = isNaive ? [] : [...POOL_STEPS, ...POOL_STEPS, ...POOL_STEPS];
  const killing: Killing = { kills: 0, atSteps: {} };
  let other = isNaive ? null : startWorker(world, speed);
  while (killing.kills < kills) {
    const step = steps.shift();
    const worker = startWorker(world, speed, { isNaive, killAt: step });
    const ended = once(worker, 'exit');
    await Promise.race([ended, once(worker, 'message')]);
    prepare(step);
    const life = step ? STEP_PATIENCE_MS : random() * LONGEST_LIFE_MS;
    const isGone = await Promise.race([ended.then(() => true), sleep(life, false)]);
    worker.kill('SIGKILL');
    await ended;
    killing.kills += 1;
    if (step && isGone) killing.atSteps[step] = (killing.atSteps[step] ?? 0) + 1;
    if (other && random() < 0.3) {
      other.kill('SIGKILL');
      await once(other, 'exit');
      killing.kills += 1;
      other = startWorker(world, speed);
    }
    if (killing.kills % 25 === 0) console.log(`  ${killing.kills} kills`);
  }
  if (other) {
    other.kill('SIGKILL');
    await once(other, 'exit');
  }
  return killing;
}
