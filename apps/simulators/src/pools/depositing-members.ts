import { setTimeout as sleep } from 'node:timers/promises';
import { demoPoolAddress } from '../world/index.ts';
import { createRandom, mixSeed, seedOf } from '../world/random.ts';

export interface DepositingMembersOptions {
  /** Members with the numbers 1 to `count`. */
  count: number;
  /** Pays to an address on the chain. */
  pay(to: `0x${string}`, units: bigint): Promise<unknown>;
  firstAfterMs: number;
  everyMs: number;
  /** Deposits until the program ends. */
  most: number;
}

const USDT = 10n ** 18n;
const AMOUNTS = { from: 50, to: 900 };

/** Members who pay into their pools now and then, the same ones in the same order at every start. */
export function startDepositingMembers(options: DepositingMembersOptions): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const running = depositUntil(stopping.signal, options).catch((error: Error) => {
    if (!stopping.signal.aborted) process.emitWarning(error);
  });
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

async function depositUntil(
  stopped: AbortSignal,
  { count, pay, firstAfterMs, everyMs, most }: DepositingMembersOptions,
): Promise<void> {
  for (let nth = 0; nth < most; nth += 1) {
    await sleep(nth === 0 ? firstAfterMs : everyMs, null, { signal: stopped });
    const random = createRandom(mixSeed(seedOf('depositing members'), nth));
    const member = random.integer(1, count);
    await pay(demoPoolAddress(member), BigInt(random.integer(AMOUNTS.from, AMOUNTS.to)) * USDT);
  }
}
