import { setTimeout as sleep } from 'node:timers/promises';
import { createTestClient, http, parseEther, publicActions } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { bsc } from 'viem/chains';
import type { Outbox } from '../telegram/index.ts';
import { DEMO_GAS_WALLET, DEMO_TOKEN_OWNER } from '../world/index.ts';
import { type DemoToken, type Holding, openDemoToken } from './demo-token.ts';
import { startPayingTraders } from './paying-traders.ts';
import { type LocalChain, startChain } from './start-chain.ts';

/** Blocks after one that make it final; see `startChain`. */
const UNTIL_FINAL = 5;
const BLOCK_EVERY_MS = 1_000;
/** Five of these fit well into the ten minutes after which reading counts as late. */
const IDLE_MS = 60_000;
/** Coin of the platform: enough for any demo. */
const GAS_COIN = parseEther('100');

/**
 * The chain of the demo world, its token, and traders who pay their invoices on it. Blocks come with transactions, and
 * then once a second until these are final; an idle chain grows by one a minute.
 */
export async function startDemoChain({
  port,
  stateFile,
  holdings,
  outbox,
}: {
  port: number;
  stateFile: string | null;
  /** Balances of the token when the chain starts. */
  holdings: readonly Holding[];
  outbox: Pick<Outbox, 'list'>;
}): Promise<LocalChain> {
  const chain = await startChain({ port, blockSeconds: null, stateFile });
  const miner = createTestClient({ chain: bsc, transport: http(chain.url), mode: 'anvil' }).extend(
    publicActions,
  );
  // The program knows no balances and nonces of blocks before its start, so the final block has to be a later one.
  await miner.mine({ blocks: UNTIL_FINAL });
  const token = await openDemoToken(chain.url, DEMO_TOKEN_OWNER, holdings);
  await miner.setBalance({ address: DEMO_GAS_WALLET, value: GAS_COIN });
  const finish = createFinisher(
    { blockNumber: () => miner.getBlockNumber({ cacheTime: 0 }), mine: () => miner.mine({ blocks: 1 }) },
    UNTIL_FINAL,
    IDLE_MS / BLOCK_EVERY_MS,
  );
  const stopping = new AbortController();
  const mining = mineEverySo(finish, stopping.signal);

  let other: Promise<DemoToken> | undefined;
  const traders = startPayingTraders({
    outbox,
    token,
    otherToken: () => {
      other ??= openDemoToken(chain.url, privateKeyToAccount(generatePrivateKey()));
      return other;
    },
  });
  return {
    url: chain.url,
    lost: chain.lost,
    async stop() {
      traders.stop();
      stopping.abort();
      await mining;
      await chain.stop();
    },
  };
}

async function mineEverySo(finish: () => Promise<void>, stopped: AbortSignal): Promise<void> {
  while (!stopped.aborted) {
    await finish().catch((error: Error) => process.emitWarning(error));
    await sleep(BLOCK_EVERY_MS, null, { signal: stopped }).catch(() => {});
  }
}

/** The part of a chain that this needs: a block for each transaction, and others on request. */
interface MinedChain {
  blockNumber(): Promise<bigint>;
  /** Makes one block. */
  mine(): Promise<void>;
}

/**
 * Makes blocks final by adding blocks, one at a time, until those with transactions have enough after them.
 * An idle chain grows by one block every so many steps, so that its final block does not look like that of a
 * halted chain.
 * @param blocks number of later blocks that make one final
 * @param idleSteps steps without a transaction until the next block
 * @returns a function that takes the next step; steps run one after the other
 */
export function createFinisher(chain: MinedChain, blocks: number, idleSteps: number): () => Promise<void> {
  let idle = 0;
  let left = blocks;
  let known = 0n;
  return async () => {
    const number = await chain.blockNumber();
    // A block from elsewhere contains a transaction, whichever block is the latest now.
    if (number > known) left = blocks;
    known = number;
    idle = left === 0 ? idle + 1 : 0;
    if (left === 0 && idle < idleSteps) return;
    await chain.mine();
    idle = 0;
    left = Math.max(0, left - 1);
    known += 1n;
  };
}
