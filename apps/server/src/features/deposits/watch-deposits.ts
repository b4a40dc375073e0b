import { LEDGER_UNITS_LIMIT } from '@copydesk/domain';
import { sql } from 'kysely';
import type { ChainReader } from '../../integrations/chain/chain-reader.ts';
import type { Database, WriteTx } from '../../platform/db/database.ts';
import { isRefusedByRules } from '../../platform/db/refused-by-rules.ts';
import { retryConflicts } from '../../platform/db/retry-conflicts.ts';
import { inSavepoint } from '../../platform/db/savepoint.ts';
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
  /** Blocks per request: servers limit the range. */
  blocksAtOnce: number;
  /** Books money for traders within the transaction, each source once; returns results in the same order. */
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
 * Reads the next final blocks, and books their deposits and the cursor together. It ignores blocks that are not final,
 * so a reorganisation cannot remove a booked deposit. If a final block changes nevertheless, reading stops until
 * reviewed. The cursor keeps the reason of any stop.
 * @returns whether there are more final blocks to read
 */
export async function watchDeposits(watch: DepositWatch): Promise<boolean> {
  try {
    return await readNext(watch);
  } catch (error) {
    await noteStandstill(watch, error);
    throw error;
  }
}

async function readNext(watch: DepositWatch): Promise<boolean> {
  const { db, chain, token, blocksAtOnce } = watch;
  const final = await chain.finalizedBlock();
  const cursor = await db.read(ALL, (tx) => store.findCursor(tx, token));
  if (!cursor) {
    // No address was in use before this block.
    await db.write(ALL, WORKER_ACTOR, (tx) => store.beginCursor(tx, token, final));
    return false;
  }
  if (cursor.needsReview) return false;
  if (cursor.stoppedBecause !== null && final.number <= cursor.blockNumber)
    await db.write(ALL, WORKER_ACTOR, (tx) => store.clearStop(tx, token));
  // Waits for a server that lags behind the previous one.
  if (final.number <= cursor.blockNumber) return false;
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
      await bookTransfers(
        tx,
        watch,
        transfers.map((transfer) => ({
          ...transfer,
          traderId: traders.get(transfer.to.toLowerCase()) as string,
        })),
      );
    }),
  );
  return to.number < final.number;
}

/** Books transfers together; if the books refuse one, books each separately and sets that one aside. */
async function bookTransfers(
  tx: WriteTx,
  watch: DepositWatch,
  transfers: readonly store.FoundTransfer[],
): Promise<void> {
  const bookable: store.FoundTransfer[] = [];
  for (const transfer of transfers) {
    if (transfer.units < LEDGER_UNITS_LIMIT) bookable.push(transfer);
    else await setAside(tx, watch, transfer, 'amount_too_large');
  }
  if (await isBooked(tx, watch, bookable)) return;
  for (const transfer of bookable)
    if (!(await isBooked(tx, watch, [transfer]))) await setAside(tx, watch, transfer, 'cannot_be_booked');
}

async function isBooked(
  tx: WriteTx,
  watch: DepositWatch,
  transfers: readonly store.FoundTransfer[],
): Promise<boolean> {
  try {
    await inSavepoint(tx, (attempted) => bookTogether(attempted, watch, transfers));
    return true;
  } catch (error) {
    if (!isRefusedByRules(error)) throw error;
    watch.log.warn({ err: error, transfers: transfers.length }, 'the books refuse deposits');
    return false;
  }
}

async function bookTogether(
  tx: WriteTx,
  { token, book, now }: DepositWatch,
  transfers: readonly store.FoundTransfer[],
): Promise<void> {
  const deposits = await store.insertDeposits(tx, token, transfers);
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
  // Runs deferred constraints now, while a refusal can still be rolled back.
  await sql`SET CONSTRAINTS ALL IMMEDIATE`.execute(tx.sql);
  await sql`SET CONSTRAINTS ALL DEFERRED`.execute(tx.sql);
}

async function setAside(
  tx: WriteTx,
  { token, log }: DepositWatch,
  transfer: store.FoundTransfer,
  reason: store.SetAsideReason,
): Promise<void> {
  if (!(await store.setAside(tx, token, transfer, reason))) return;
  const { transactionHash, logIndex, traderId, units } = transfer;
  log.error(
    { transactionHash, logIndex, traderId, units: units.toString(), reason },
    'a deposit was set aside: the books cannot take it',
  );
  tx.audit({
    action: 'deposit.set_aside',
    target: { kind: 'trader', id: traderId },
    after: { transaction_hash: transactionHash, log_index: logIndex, units: units.toString(), reason },
  });
}

/** The cursor shows operators why reading has stopped; the log has the details. */
async function noteStandstill({ db, token }: DepositWatch, error: unknown): Promise<void> {
  const because = reasonOf(error);
  await db
    .write(ALL, WORKER_ACTOR, (tx) => store.stopCursor(tx, token, { because, needsReview: false }))
    // Without a database the note cannot be saved, and the caller gets the error anyway.
    .catch(() => {});
}

/** The first line of an error, without server addresses, which may contain a key. */
function reasonOf(error: unknown): string {
  const { shortMessage, message } = error as { shortMessage?: string; message?: string };
  const [line = ''] = (shortMessage || message || 'unknown error').split('\n', 1);
  return line.replaceAll(/\w+:\/\/\S+/g, '(address)').slice(0, 300);
}

/** A changed final block means another chain or a broken server; a missing one may still appear. */
async function isSameChain(
  { db, log, chain, token }: DepositWatch,
  { blockNumber, blockHash }: store.Cursor,
): Promise<boolean> {
  const found = await chain.findBlock(blockNumber);
  if (!found) return false;
  if (found.hash === blockHash) return true;
  const because = `block ${blockNumber} was ${blockHash} and is ${found.hash}`;
  log.error({ token, because }, 'a final block has changed: no deposit is booked until reviewed');
  await db.write(ALL, WORKER_ACTOR, (tx) => store.stopCursor(tx, token, { because, needsReview: true }));
  return false;
}
