import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { NODE_FLAGS } from '../../apps/server/src/launcher/memory-limits.ts';
import type { OwingWorld } from '../support/owing-world.ts';
import { PAYER_STEPS } from './steps.ts';

const PAYER = fileURLToPath(new URL('./payer.ts', import.meta.url));
const NAIVE_PAYER = fileURLToPath(new URL('./naive-payer.ts', import.meta.url));
/** A step that is not reached within this time is skipped. */
const STEP_PATIENCE_MS = 8_000;
const LONGEST_LIFE_MS = 1_200;

export interface Killing {
  kills: number;
  /** Deaths by the step at which a worker killed itself; the others were killed at a random moment. */
  atSteps: Record<string, number>;
}

/**
 * Starts paying workers and kills them one after the other, two at a time: at each named step first, and then at random
 * moments. There is always something to pay.
 */
export async function killPayers(
  world: OwingWorld,
  options: {
    kills: number;
    random: () => number;
    isNaive: boolean;
    keepOwing: () => Promise<void>;
    /** Receives the step at which the next worker will die; undefined: at any moment. */
    prepare: (step: string | undefined) => Promise<void>;
  },
): Promise<Killing> {
  const { kills, random, isNaive, keepOwing, prepare } = options;
  const steps: (string | undefined)[] = isNaive ? [] : [...PAYER_STEPS, ...PAYER_STEPS, ...PAYER_STEPS];
  const killing: Killing = { kills: 0, atSteps: {} };
  const start = (killAt?: string) => startPayer(world, { isNaive, killAt });
  // The other worker lives on: it meets the traces of the dead one in the middle of the same work.
  let other = isNaive ? null : start();
  while (killing.kills < kills) {
    await keepOwing();
    const step = steps.shift();
    const payer = start(step);
    const ended = once(payer, 'exit');
    await Promise.race([ended, once(payer, 'message')]);
    // At this moment, or the other worker would already have done the work of that step.
    await prepare(step);
    const life = step ? STEP_PATIENCE_MS : random() * LONGEST_LIFE_MS;
    const isGone = await Promise.race([ended.then(() => true), sleep(life, false)]);
    payer.kill('SIGKILL');
    await ended;
    killing.kills += 1;
    if (step && isGone) killing.atSteps[step] = (killing.atSteps[step] ?? 0) + 1;
    if (other && random() < 0.2) {
      other.kill('SIGKILL');
      await once(other, 'exit');
      killing.kills += 1;
      other = start();
    }
    if (killing.kills % 25 === 0) console.log(`  ${killing.kills} kills`);
  }
  if (other) {
    other.kill('SIGKILL');
    await once(other, 'exit');
  }
  return killing;
}

/** A worker in its own process, which ends with ours. */
export function startPayer(
  { databaseUrl, rpcUrl, token, seed }: OwingWorld,
  { isNaive = false, killAt }: { isNaive?: boolean; killAt?: string | undefined } = {},
): ChildProcess {
  return fork(isNaive ? NAIVE_PAYER : PAYER, {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    execArgv: NODE_FLAGS,
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      RPC_URL: rpcUrl,
      TOKEN_ADDRESS: token.address,
      SEED: seed.toString('hex'),
      OPENS_BOOKS: '1',
      ...(killAt ? { KILL_AT: killAt } : {}),
    },
  });
}
