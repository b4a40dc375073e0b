import {
  createDepositReceiver,
  type ReceiveDepositsDeps,
} from '../../../apps/server/src/features/deposits/receive-deposits.ts';
import type { ChainWatch } from '../../../apps/server/src/features/deposits/watch/watch-chain.ts';
import { bookPayments } from '../../../apps/server/src/features/invoices/payments/payments.service.ts';
import { createChainReader } from '../../../apps/server/src/integrations/chain/chain-reader.ts';
import type { InvoicingWorld } from './invoicing-world.ts';
import type { PayingChain } from './paying-chain.ts';

/** A reader of the chain, as the worker has it. */
export const readerOf = (
  { token, url }: Pick<PayingChain, 'token' | 'url'>,
  {
    rpcUrls = [url],
    confirmations = null,
    clock,
  }: { rpcUrls?: string[]; confirmations?: number | null; clock?: (() => number) | undefined } = {},
) =>
  createChainReader({
    rpcUrls,
    chainId: 56,
    tokenAddress: token.address,
    tokenDecimals: 18,
    confirmations,
    timeoutMs: 5_000,
    ...(clock && { now: clock }),
  });

/** The worker's settings to watch the chain. */
export function watchOf(
  world: InvoicingWorld,
  chain: Pick<PayingChain, 'token' | 'url'>,
  changes: Partial<ChainWatch & ReceiveDepositsDeps> & {
    rpcUrls?: string[];
    confirmations?: number;
    clock?: () => number;
  } = {},
): ChainWatch {
  const { rpcUrls = [chain.url], confirmations = null, book = bookPayments, clock, ...rest } = changes;
  const { address } = chain.token;
  return {
    db: world.db,
    log: world.log,
    chain: readerOf(chain, { rpcUrls, confirmations, clock }),
    token: { chainId: 56, tokenAddress: address.toLowerCase() },
    blocksAtOnce: 7,
    receivers: [createDepositReceiver({ log: world.log, now: () => new Date(), book })],
    ...rest,
  };
}
