import { createTestClient, http } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { bsc } from 'viem/chains';
import type { Outbox } from '../telegram/index.ts';
import { DEMO_TOKEN_OWNER } from '../world/index.ts';
import { type DemoToken, openDemoToken } from './demo-token.ts';
import { startPayingTraders } from './paying-traders.ts';
import { startChain } from './start-chain.ts';

/** Blocks after which what happened is final; see `startChain`. */
const UNTIL_FINAL = 10;
const BLOCK_EVERY_MS = 1_000;

/**
 * The chain of the demo world, its token, and traders who pay their invoices on it. Blocks come with transactions, and
 * a second each after them until these are final: a chain that nobody uses does not grow.
 */
export async function startDemoChain({
  port,
  stateFile,
  outbox,
}: {
  port: number;
  stateFile: string | null;
  outbox: Pick<Outbox, 'list'>;
}): Promise<{ url: string; stop(): Promise<void> }> {
  const chain = await startChain({ port, blockSeconds: null, stateFile });
  const token = await openDemoToken(chain.url, DEMO_TOKEN_OWNER);
  const miner = createTestClient({ chain: bsc, transport: http(chain.url), mode: 'anvil' });
  let left = UNTIL_FINAL;
  const mining = setInterval(() => {
    if (left === 0) return;
    left -= 1;
    miner.mine({ blocks: 1 }).catch((error: Error) => process.emitWarning(error));
  }, BLOCK_EVERY_MS);

  let other: Promise<DemoToken> | undefined;
  const traders = startPayingTraders({
    outbox,
    token,
    otherToken: () => {
      other ??= openDemoToken(chain.url, privateKeyToAccount(generatePrivateKey()));
      return other;
    },
    onPaid: () => {
      left = UNTIL_FINAL;
    },
  });
  return {
    url: chain.url,
    async stop() {
      traders.stop();
      clearInterval(mining);
      await chain.stop();
    },
  };
}
