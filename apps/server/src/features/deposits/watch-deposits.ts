import type { ChainReader, TokenTransfer } from '../../integrations/chain/chain-reader.ts';
import type { Database, WriteTx } from '../../platform/db/database.ts';
import { retryConflicts } from '../../platform/db/retry-conflicts.ts';
import { WORKER_ACTOR } from '../../platform/jobs/worker-actor.ts';
import type { Logger } from '../../platform/log/log.ts';
import * as store from './deposits.store.ts';

const ALL = { kind: 'all' } as const;

export interface DepositWatch {
  db: Database;
  log: Logger;
  now: () => Date;
  chain: ChainReader;
  token: store.Token;
  /** Blocks of one question: servers answer only so many at once. */
  blocksAtOnce: number;
  /** Books money for traders within the transaction, each source once; answers in the same order. */
  book(tx: WriteTx, payments: readonly SeenPayment[]): Promise<{ paymentId: string }[]>;
}

interface SeenPayment {
  traderId: string;
  units: bigint;
  source: { type: string; id: string };
  transactionHash: string;
  receivedAt: Date;
}

/**
 * Reads the next final blocks and books what they brought, together with how far it read. Blocks that are not final
 * are not looked at, so nothing that is booked can go away with its block; if a final one does nevertheless, reading
 * stops until a person has looked at it.
 * @returns whether there are more final blocks to read
 */
export async function watchDeposits(watch: DepositWatch): Promise<boolean> {
  const { db, chain, token, blocksAtOnce } = watch;
  const final = await chain.finalizedBlock();
  const cursor = await db.read(ALL, (tx) => store.findCursor(tx, token));
  if (!cursor) {
    // What came before nobody was told an address for.
    await db.write(ALL, WORKER_ACTOR, (tx) => store.beginCursor(tx, token, final));
    return false;
  }
  // A server that lags behind the one that answered before is waited for.
  if (cursor.stoppedBecause || final.number <= cursor.blockNumber) return false;
  if (!(await isSameChain(watch, cursor))) return false;

  const from = cursor.blockNumber + 1n;
  const last = cursor.blockNumber + BigInt(blocksAtOnce);
  const to = last < final.number ? await chain.findBlock(last) : final;
  if (!to) return false;
  const traders = await db.read(ALL, store.listDepositAddresses);
  const transfers = await chain.transfersTo([...traders.keys()], { from, to: to.number });
  await retryConflicts(() =>
    db.write(ALL, WORKER_ACTOR, async (tx) => {
      if (!(await store.moveCursor(tx, token, cursor.blockNumber, to))) return;
      await bookTransfers(tx, watch, traders, transfers);
    }),
  );
  return to.number < final.number;
}

async function bookTransfers(
  tx: WriteTx,
  { token, book, now }: DepositWatch,
  traders: ReadonlyMap<string, string>,
  transfers: readonly TokenTransfer[],
): Promise<void> {
  const deposits = await store.insertDeposits(
    tx,
    token,
    transfers.map((transfer) => ({
      ...transfer,
      traderId: traders.get(transfer.to.toLowerCase()) as string,
    })),
  );
  if (deposits.length === 0) return;
  const receivedAt = now();
  const booked = await book(
    tx,
    deposits.map(({ id, ...deposit }) => ({ ...deposit, source: { type: 'deposit', id }, receivedAt })),
  );
  await store.setPayments(
    tx,
    deposits.map(({ id }, index) => ({ depositId: id, paymentId: booked[index]?.paymentId as string })),
  );
}

/** A final block that changed is another chain, or a broken server; one that is not there may come. */
async function isSameChain(
  { db, log, chain, token }: DepositWatch,
  { blockNumber, blockHash }: store.Cursor,
): Promise<boolean> {
  const found = await chain.findBlock(blockNumber);
  if (!found) return false;
  if (found.hash === blockHash) return true;
  const because = `block ${blockNumber} was ${blockHash} and is ${found.hash}`;
  log.error({ token, because }, 'a final block has changed: no deposit is booked until a person has looked');
  await db.write(ALL, WORKER_ACTOR, (tx) => store.stopCursor(tx, token, because));
  return false;
}
