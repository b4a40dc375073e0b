import type { Block, ChainReader } from '../../../integrations/chain/chain-reader.ts';
import type { ChainSender } from '../../../integrations/chain/chain-sender.ts';
import type { Actor } from '../../../platform/audit/audit.ts';
import { type Database, WHOLE_SCOPE } from '../../../platform/db/database.ts';
import { unfreeze } from '../wallets/frozen-wallets.store.ts';
import { findReadTo } from './quiet-wallets.views.ts';
import { listKnownHashes, listRestoredWallets, type RestoredWallet } from './restored-wallets.views.ts';

const WALLETS_AT_ONCE = 200;

export interface AfterRestore {
  db: Database;
  actor: Actor;
  chain: Pick<ChainSender, 'transactionCount'>;
  reader: Pick<ChainReader, 'finalizedBlock' | 'transfersFrom'>;
  chainId: number;
  /** In lower case. */
  tokenAddress: string;
  /** Blocks of one request. */
  blocksAtOnce: number;
}

/** A token transfer from a wallet of ours that the restored books do not have. */
export interface SentSince {
  hash: string;
  blockNumber: bigint;
  wallet: RestoredWallet;
  to: string;
  /** Base units. */
  units: bigint;
}

export interface RestoreFindings {
  /** Number of wallets that have sent nothing since the backup. They send again. */
  released: number;
  /**
   * Wallets with transactions that the books do not have: they stay frozen, so nothing is paid twice from them. One
   * without a row gets frozen before its first transfer, because its chain is ahead.
   */
  ahead: RestoredWallet[];
  sent: SentSince[];
}

/**
 * Compares the wallets that a restore has frozen with the chain. A wallet whose chain has no transaction beyond its
 * books is released; the others stay frozen, and their token transfers since the backup are listed. Can be run again.
 * @throws Error before the chain was ever read: the backup does not say from which block on to look
 */
export async function compareAfterRestore(deps: AfterRestore): Promise<RestoreFindings> {
  const { db, reader, chainId, tokenAddress } = deps;
  const readTo = await db.read(WHOLE_SCOPE, (tx) => findReadTo(tx, chainId, tokenAddress));
  const head = await reader.finalizedBlock();
  const findings: RestoreFindings = { released: 0, ahead: [], sent: [] };
  let after = '';
  for (;;) {
    const page = { chainId, after, limit: WALLETS_AT_ONCE };
    const wallets: RestoredWallet[] = await db.read(WHOLE_SCOPE, (tx) => listRestoredWallets(tx, page));
    const last = wallets.at(-1);
    if (!last) break;
    const ahead = await releaseUnmoved(deps, wallets, head, findings);
    if (ahead.length > 0) {
      if (readTo === null) throw new Error('the chain was never read before the backup');
      findings.ahead.push(...ahead);
      findings.sent.push(...(await findSent(deps, ahead, { from: readTo + 1n, to: head.number })));
    }
    after = last.address;
  }
  return findings;
}

/** @returns the wallets that have sent something */
async function releaseUnmoved(
  { db, actor, chain }: AfterRestore,
  wallets: readonly RestoredWallet[],
  head: Block,
  findings: RestoreFindings,
): Promise<RestoredWallet[]> {
  // `pending`: a transaction that waits for its block is one as well. A server that lags leaves out what the final
  // block has, so that one is asked for by its hash.
  const counts = await Promise.all(
    wallets.map(async ({ address }) =>
      Math.max(await chain.transactionCount(address, head), await chain.transactionCount(address, 'pending')),
    ),
  );
  const isAhead = (wallet: RestoredWallet, at: number) => (counts[at] ?? 0) > wallet.nextNonce;
  const unmoved = wallets.flatMap((wallet, at) =>
    wallet.id === null || isAhead(wallet, at) ? [] : wallet.id,
  );
  if (unmoved.length > 0)
    await db.write(WHOLE_SCOPE, actor, async (tx) => {
      for (const id of unmoved) await unfreeze(tx, id);
      tx.audit({
        action: 'database.wallets_released',
        target: { kind: 'database', id: 'copydesk' },
        after: { wallets: unmoved.length },
      });
    });
  findings.released += unmoved.length;
  return wallets.filter(isAhead);
}

async function findSent(
  { db, reader, blocksAtOnce }: AfterRestore,
  wallets: readonly RestoredWallet[],
  { from, to }: { from: bigint; to: bigint },
): Promise<SentSince[]> {
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
