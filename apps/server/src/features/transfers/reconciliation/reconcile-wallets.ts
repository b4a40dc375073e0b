import type { FreezeReason } from '@copydesk/domain/payouts';
import type { ChainSender } from '../../../integrations/chain/chain-sender.ts';
import { type Database, WHOLE_SCOPE } from '../../../platform/db/database.ts';
import type { Logger } from '../../../platform/observe/log.ts';
import { WORKER_ACTOR } from '../../../platform/work/worker-actor.ts';
import { freeze } from '../engine/freeze.ts';
import { type AddressCheck, saveChecks } from './address-checks.store.ts';
import { bookMissed, type MissedBooking } from './book-missed.ts';
import {
  findReadTo,
  listQuietWallets,
  type QuietWallet,
  type QuietWalletsPage,
  type Reach,
  type ReadTo,
} from './quiet-wallets.views.ts';

/** As many as one call of Multicall3 reads. */
const WALLETS_AT_ONCE = 500;
/** Pages of addresses that do not move, in one run: 1.4 million a day. */
const DUE_PAGES = 10;
/** Maximum number of wallets in a log line. */
const SHOWN = 10;

export interface WalletReconciliation {
  db: Database;
  log: Logger;
  now: () => Date;
  chain: Pick<ChainSender, 'check' | 'tokenBalances' | 'transactionCount'>;
  chainId: number;
  /** In lower case. */
  tokenAddress: string;
  /** Books what the chain has beyond the ledger; unset: it is only reported. */
  missed?: Pick<MissedBooking, 'chain' | 'receivers'>;
}

/**
 * Compares our addresses with the chain: tokens with the ledger, transactions with the assigned nonces. A wallet with
 * missing tokens or an unknown transaction is frozen. For tokens beyond the ledger, the blocks that brought them are
 * searched and booked. What no transfer explains is only reported: anyone can send some and must not be able to stop
 * payouts that way. Nothing else is corrected.
 * @returns how many addresses do not match
 */
export async function reconcileWallets(
  deps: WalletReconciliation,
  reach: Reach = 'wallets',
): Promise<number> {
  const { db, now, chainId, tokenAddress } = deps;
  const begun = await db.read(WHOLE_SCOPE, (tx) => findReadTo(tx, chainId, tokenAddress));
  if (begun === null) return 0;
  const page = { chainId, tokenAddress, reach, now: now(), limit: WALLETS_AT_ONCE };
  const found: Findings = { differing: 0, above: [] };
  let blockNumber: bigint = begun;
  let after = '';
  for (let pages = 0; reach !== 'due' || pages < DUE_PAGES; ) {
    const asOf: QuietWalletsPage = { ...page, blockNumber, after };
    const { readTo, wallets } = await db.read(WHOLE_SCOPE, (tx) => listQuietWallets(tx, asOf));
    if (readTo.number !== blockNumber) {
      // More blocks were read meanwhile and may be booked: compares the same wallets again, as of that block.
      blockNumber = readTo.number;
      continue;
    }
    const last = wallets.at(-1);
    if (!last) break;
    await compare(deps, wallets, readTo, found);
    after = last.address;
    pages += 1;
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
  readTo: ReadTo,
  findings: Findings,
): Promise<void> {
  const { db, now, chain, log, chainId, tokenAddress } = deps;
  const [balances, counts] = await Promise.all([
    chain.tokenBalances(
      wallets.map(({ address }) => address),
      readTo,
    ),
    // An address without a wallet's row has never been given a nonce: it is compared before it sends.
    Promise.all(
      wallets.map(({ id, address }) => (id === null ? 0 : chain.transactionCount(address, readTo))),
    ),
  ]);
  const checks: AddressCheck[] = [];
  for (const [index, wallet] of wallets.entries()) {
    const found = balances[index] ?? 0n;
    const count = counts[index] ?? 0;
    const because = reasonToFreeze(wallet, found, count);
    const { id, address, ledgerUnits } = wallet;
    const figures = { address, ledger: ledgerUnits.toString(), chain: found.toString() };
    if (because) {
      log.error({ ...figures, because }, 'a wallet does not match the chain');
      if (id !== null) await freeze(deps, { ...wallet, id }, { because, chainNonce: count });
    }
    const surplusUnits = found < ledgerUnits ? null : await soundSurplus(deps, wallet, readTo, found);
    if (!because && found > ledgerUnits && surplusUnits !== 'booked') findings.above.push(figures);
    if (because || found !== ledgerUnits) findings.differing += 1;
    // Without a search, the address stays due for one.
    if (surplusUnits !== null || found < ledgerUnits || deps.missed)
      checks.push({ address, surplusUnits: surplusUnits === 'booked' ? null : surplusUnits });
  }
  await db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) =>
    saveChecks(tx, { chainId, tokenAddress }, { blockNumber: readTo.number, at: now() }, checks),
  );
}

/**
 * What the chain has beyond the ledger when no transfer is missing. Null: not known. 'booked': a missed transfer was, and
 * the next comparison counts again.
 */
async function soundSurplus(
  { db, log, chain, chainId, tokenAddress, missed }: WalletReconciliation,
  wallet: QuietWallet,
  readTo: ReadTo,
  found: bigint,
): Promise<bigint | 'booked' | null> {
  const surplus = found - wallet.ledgerUnits;
  if (surplus === 0n || surplus === wallet.sound?.surplusUnits) return surplus;
  if (!missed) return null;
  const { tokenBalances } = chain;
  const deps = { db, log, token: { chainId, tokenAddress }, tokenBalances, ...missed };
  const outcome = await bookMissed(deps, wallet, readTo, found);
  return { booked: 'booked' as const, nothing: surplus, unknown: null }[outcome];
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
