import type { ChainReader } from '../../../integrations/chain/chain-reader.ts';
import type { ChainSender } from '../../../integrations/chain/chain-sender.ts';
import type { Actor } from '../../../platform/audit/audit.ts';
import { type Database, WHOLE_SCOPE, type WriteTx } from '../../../platform/db/database.ts';
import { freezeWallet } from '../engine/sending-wallets.store.ts';
import { unfreeze } from '../wallets/frozen-wallets.store.ts';
import { findReadTo } from './quiet-wallets.views.ts';
import { listKnownHashes, listOwnWallets, type OwnWallet } from './restored-wallets.views.ts';

const WALLETS_AT_ONCE = 200;

export interface AfterRestore {
  db: Database;
  actor: Actor;
  now: () => Date;
  chain: Pick<ChainSender, 'transactionCount' | 'tokenBalances'>;
  reader: Pick<ChainReader, 'finalizedBlock' | 'transfersFrom'>;
  chainId: number;
  /** In lower case. */
  tokenAddress: string;
  /** Blocks of one request. */
  blocksAtOnce: number;
}

/** A wallet beside what the chain has of it. */
export interface ComparedWallet extends OwnWallet {
  /** Transactions on chain, those that wait for their block included. */
  chainNonce: number;
  /** Tokens at the last final block, base units. */
  chainUnits: bigint;
}

/** A token transfer from a wallet of ours that the restored books do not have. */
export interface SentSince {
  hash: string;
  blockNumber: bigint;
  wallet: OwnWallet;
  to: string;
  /** Base units. */
  units: bigint;
}

export interface RestoreFindings {
  /** Number of wallets that were frozen for a restore and have sent nothing since the backup. They send again. */
  released: number;
  /**
   * Wallets with transactions that the books do not have: they are frozen, so nothing is paid twice from them. One
   * without a row gets frozen before its first transfer, because its chain is ahead.
   */
  ahead: ComparedWallet[];
  /** Other wallets with fewer tokens than the books say: they are frozen too, if they have a row. */
  short: ComparedWallet[];
  /** Null: the chain was never read before the backup, which does not say from which block on to look. */
  sent: SentSince[] | null;
}

/**
 * Compares every wallet with the chain, whoever restored the database and however. A wallet whose chain has no
 * transaction beyond its books, and its tokens, is released if a restore had frozen it; the others are frozen, and their
 * token transfers since the backup are listed. Can be run again. Payments are to be stopped before.
 */
export async function compareAfterRestore(deps: AfterRestore): Promise<RestoreFindings> {
  const { db, chainId, tokenAddress } = deps;
  const readTo = await db.read(WHOLE_SCOPE, (tx) => findReadTo(tx, chainId, tokenAddress));
  const findings: RestoreFindings = { released: 0, ahead: [], short: [], sent: readTo === null ? null : [] };
  for await (const { unmoved, ahead, short } of compareWallets({ ...deps, withDeposits: true })) {
    findings.released += await settle(deps, unmoved, [...ahead, ...short]);
    findings.ahead.push(...ahead);
    findings.short.push(...short);
    if (readTo !== null && ahead.length > 0)
      findings.sent?.push(...(await findSent(deps, ahead, readTo + 1n)));
  }
  return findings;
}

type Comparing = Pick<AfterRestore, 'db' | 'chain' | 'chainId'> & {
  reader: Pick<ChainReader, 'finalizedBlock'>;
  /** Also deposit addresses that have sent nothing as far as the books know: they are many. */
  withDeposits: boolean;
};

/**
 * Compares wallets with the chain as it is now, page by page: their transactions with the assigned nonces, and their
 * tokens with the ledger where no transfer is in progress. Changes nothing.
 */
export async function* compareWallets({
  db,
  chain,
  reader,
  chainId,
  withDeposits,
}: Comparing): AsyncGenerator<Record<'unmoved' | 'ahead' | 'short', ComparedWallet[]>> {
  for (let after = ''; ; ) {
    const page = { chainId, after, limit: WALLETS_AT_ONCE, withDeposits };
    const wallets: OwnWallet[] = await db.read(WHOLE_SCOPE, (tx) => listOwnWallets(tx, page));
    const last = wallets.at(-1);
    if (!last) return;
    // After the books were read: every deposit of theirs is below it.
    const head = await reader.finalizedBlock();
    // `pending`: a transaction that waits for its block is one as well. A server that lags leaves out what the final
    // block has, so that one is asked for by its hash.
    const [balances, counts] = await Promise.all([
      chain.tokenBalances(
        wallets.map(({ address }) => address),
        head,
      ),
      Promise.all(
        wallets.map(async ({ address }) =>
          Math.max(
            await chain.transactionCount(address, head),
            await chain.transactionCount(address, 'pending'),
          ),
        ),
      ),
    ]);
    // Read again: a worker may have signed a transfer meanwhile, which is in the books before it is on the
    // chain.
    const assigned = new Map(
      (await db.read(WHOLE_SCOPE, (tx) => listOwnWallets(tx, page))).map((each) => [each.address, each]),
    );
    const compared = wallets.map((wallet, at) => ({
      ...wallet,
      nextNonce: assigned.get(wallet.address)?.nextNonce ?? wallet.nextNonce,
      chainNonce: counts[at] ?? 0,
      chainUnits: balances[at] ?? 0n,
    }));
    const isAhead = ({ chainNonce, nextNonce }: ComparedWallet) => chainNonce > nextNonce;
    yield {
      unmoved: compared.filter((each) => !isAhead(each) && !isShort(each)),
      ahead: compared.filter(isAhead),
      short: compared.filter((each) => !isAhead(each) && isShort(each)),
    };
    after = last.address;
  }
}

/** Whether tokens of the books are not there. */
const isShort = ({ ledgerUnits, chainUnits }: ComparedWallet) =>
  ledgerUnits !== null && chainUnits < ledgerUnits;

/** Releases those that a restore had frozen and that are as the books say; freezes those that are not. */
async function settle(
  { db, actor, now }: AfterRestore,
  unmoved: readonly OwnWallet[],
  different: readonly ComparedWallet[],
): Promise<number> {
  const released = unmoved.flatMap(({ id, frozenBecause }) =>
    id !== null && frozenBecause === 'restored' ? id : [],
  );
  const frozen = different.filter(({ id, frozenBecause }) => id !== null && frozenBecause === null);
  if (released.length + frozen.length === 0) return 0;
  await db.write(WHOLE_SCOPE, actor, async (tx) => {
    for (const id of released) await unfreeze(tx, id);
    for (const wallet of frozen) await freezeDifferent(tx, wallet, now());
    if (released.length > 0)
      tx.audit({
        action: 'database.wallets_released',
        target: { kind: 'database', id: 'copydesk' },
        after: { wallets: released.length },
      });
  });
  return released.length;
}

async function freezeDifferent(tx: WriteTx, wallet: ComparedWallet, at: Date): Promise<void> {
  const { id, address, chainNonce, nextNonce } = wallet;
  if (id === null) return;
  const because = chainNonce > nextNonce ? 'chain_ahead' : 'balance_short';
  if (await freezeWallet(tx, { walletId: id, because, chainNonce, at }))
    tx.audit({
      action: 'wallet.frozen',
      target: { kind: 'wallet', id },
      after: { address, because, chain_nonce: chainNonce },
    });
}

async function findSent(
  { db, reader, blocksAtOnce }: AfterRestore,
  wallets: readonly OwnWallet[],
  from: bigint,
): Promise<SentSince[]> {
  const { number: to } = await reader.finalizedBlock();
  const byAddress = new Map(wallets.map((wallet) => [wallet.address, wallet]));
  const found: SentSince[] = [];
  for (let first = from; first <= to; first += BigInt(blocksAtOnce)) {
    const end = first + BigInt(blocksAtOnce) - 1n;
    const range = { from: first, to: end < to ? end : to };
    for (const transfer of await reader.transfersFrom([...byAddress.keys()], range)) {
      const wallet = byAddress.get(transfer.from.toLowerCase());
      if (!wallet) continue;
      const { transactionHash: hash, block, units } = transfer;
      found.push({ hash, blockNumber: block.number, wallet, to: transfer.to, units });
    }
  }
  const hashes = found.map(({ hash }) => hash);
  const known = await db.read(WHOLE_SCOPE, (tx) => listKnownHashes(tx, hashes));
  return found.filter(({ hash }) => !known.has(hash));
}
