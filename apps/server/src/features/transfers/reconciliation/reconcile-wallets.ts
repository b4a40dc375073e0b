import type { FreezeReason } from '@copydesk/domain';
import type { ChainSender } from '../../../integrations/chain/chain-sender.ts';
import { type Database, WHOLE_SCOPE } from '../../../platform/db/database.ts';
import type { Logger } from '../../../platform/log/log.ts';
import { freeze } from '../engine/freeze.ts';
import {
  findReadTo,
  listQuietWallets,
  type QuietWallet,
  type QuietWalletsPage,
} from './quiet-wallets.views.ts';

const WALLETS_AT_ONCE = 200;
/** Maximum number of wallets in a log line. */
const SHOWN = 10;

export interface WalletReconciliation {
  db: Database;
  log: Logger;
  now: () => Date;
  chain: Pick<ChainSender, 'tokenBalances' | 'transactionCount'>;
  chainId: number;
  /** In lower case. */
  tokenAddress: string;
}

/**
 * Compares our wallets with the chain: tokens with the ledger, transactions with the assigned nonces. A wallet with
 * missing tokens or an unknown transaction is frozen. Tokens beyond the ledger are only reported: anyone can send some
 * and must not be able to stop payouts that way. Nothing is corrected.
 * @returns how many wallets do not match
 */
export async function reconcileWallets(deps: WalletReconciliation): Promise<number> {
  const { db, chainId, tokenAddress } = deps;
  const begun = await db.read(WHOLE_SCOPE, (tx) => findReadTo(tx, chainId, tokenAddress));
  if (begun === null) return 0;
  const page = { chainId, tokenAddress, limit: WALLETS_AT_ONCE };
  const found: Findings = { differing: 0, above: [] };
  let blockNumber: bigint = begun;
  let after: string | null = null;
  for (;;) {
    const asOf: QuietWalletsPage = { ...page, blockNumber, after };
    const { readTo, wallets } = await db.read(WHOLE_SCOPE, (tx) => listQuietWallets(tx, asOf));
    if (readTo !== blockNumber) {
      // More blocks were read meanwhile and may be booked: compares the same wallets again, as of that block.
      blockNumber = readTo;
      continue;
    }
    const last = wallets.at(-1);
    if (!last) break;
    await compare(deps, wallets, blockNumber, found);
    after = last.id;
  }
  // One log line for all: the difference remains until the tokens are booked.
  if (found.above.length > 0)
    deps.log.warn(
      { wallets: found.above.length, first: found.above.slice(0, SHOWN) },
      'wallets hold tokens that the ledger does not know',
    );
  return found.differing;
}

interface Findings {
  differing: number;
  /** Wallets with more on chain than in the ledger. */
  above: { address: string; ledger: string; chain: string }[];
}

async function compare(
  deps: WalletReconciliation,
  wallets: readonly QuietWallet[],
  blockNumber: bigint,
  findings: Findings,
): Promise<void> {
  const { chain, log } = deps;
  const [balances, counts] = await Promise.all([
    chain.tokenBalances(
      wallets.map(({ address }) => address),
      blockNumber,
    ),
    Promise.all(wallets.map(({ address }) => chain.transactionCount(address, blockNumber))),
  ]);
  for (const [index, wallet] of wallets.entries()) {
    const found = balances[index] ?? 0n;
    const count = counts[index] ?? 0;
    const because = reasonToFreeze(wallet, found, count);
    const { address, ledgerUnits } = wallet;
    const figures = { address, ledger: ledgerUnits.toString(), chain: found.toString() };
    if (because) {
      log.error({ ...figures, because }, 'a wallet does not match the chain');
      await freeze(deps, wallet, { because, chainNonce: count });
    } else if (found > ledgerUnits) findings.above.push(figures);
    if (because || found !== ledgerUnits) findings.differing += 1;
  }
}

function reasonToFreeze(
  { ledgerUnits, nextNonce, firstNonce, knownNonces }: QuietWallet,
  found: bigint,
  count: number,
): FreezeReason | null {
  if (count > nextNonce) return 'chain_ahead';
  if (knownNonces < nextNonce - firstNonce) return 'nonce_missing';
  return found < ledgerUnits ? 'balance_short' : null;
}
