import type { TransferEngine } from '../../../apps/server/src/features/transfers/engine/engine.ts';
import { createChainSender } from '../../../apps/server/src/integrations/chain/chain-sender.ts';
import { createWalletKeys } from '../../../apps/server/src/integrations/chain/wallet-keys.ts';
import { TRANSFER_PURPOSES } from '../../../apps/server/src/wiring/transfer-purposes.ts';
import type { TestApp } from '../test-app.ts';
import { AUDIT_KEY } from '../test-keys.ts';

/**
 * BIP-39 seed of "test test test test test test test test test test test junk", which the traders' addresses come from.
 */
export const TEST_SEED =
  '9dfc3c64c2f8bede1533b6a79f8570e5943e0b8fd1cf77107adf7b72cef42185d564a3aee24cab43f80e3c4538087d70fc824eabbad596a23c97b6ee8322ccc0';
const KEYS = createWalletKeys(Buffer.from(TEST_SEED, 'hex'));
export const GAS_WALLET = KEYS.addressOf({ role: 'gas', keyIndex: 0 });

/** The engine of a worker over this world and chain. */
export function engineOf(
  { db, log }: Pick<TestApp, 'db' | 'log'>,
  { url, tokenAddress }: { url: string; tokenAddress: string },
  changes: Partial<TransferEngine> = {},
): TransferEngine {
  return {
    db,
    auditKeys: { chain: AUDIT_KEY, worker: null },
    log,
    now: () => new Date(),
    durability: 'single',
    chain: createChainSender({ rpcUrls: [url], tokenAddress, timeoutMs: 5_000 }),
    chainId: 56,
    tokenAddress: tokenAddress.toLowerCase(),
    keys: KEYS,
    purposes: TRANSFER_PURPOSES,
    limits: { perTransaction: null, perDay: null },
    hardMaxUnits: null,
    gasBounds: { perTopup: 10n ** 20n, perDay: 10n ** 21n },
    maxFeeWei: 100n * 10n ** 9n,
    minTipWei: 0n,
    stopAfterSetAside: 0,
    inFlight: 64,
    stuckMs: 60_000,
    resendMs: 10_000,
    doubtMs: 60_000,
    doubts: new Map(),
    ...changes,
  };
}
