import type { ReceivedTransfer, Token, TransferReceiver } from '../../core/chain/transfer-receiver.ts';
import type { ChainReader, TokenTransfer } from '../../integrations/chain/chain-reader.ts';
import { type Database, WHOLE_SCOPE } from '../../platform/db/database.ts';
import { retryConflicts } from '../../platform/db/retry-conflicts.ts';
import { WORKER_ACTOR } from '../../platform/jobs/worker-actor.ts';
import type { Logger } from '../../platform/log/log.ts';
import * as store from './chain-cursor.store.ts';
import { noteLag } from './measure-lag.ts';

export interface ChainWatch {
  db: Database;
  log: Logger;
  chain: ChainReader;
  token: Token;
  /** Blocks per request: servers limit the range. */
  blocksAtOnce: number;
  /** Who takes what arrives, by kind of address. No two of them have an address in common. */
  receivers: readonly TransferReceiver[];
}

/**
 * Reads the next final blocks and has receivers take what arrived, in one transaction with the cursor. Blocks that are not
 * final are not read, so nothing that is booked can disappear with its block. If a final block changes nevertheless,
 * reading stops until a person has looked at it. The cursor notes why reading does not go on.
 * @returns whether there are more final blocks to read
 */
export async function watchChain(watch: ChainWatch): Promise<boolean> {
  try {
    return await readNext(watch);
  } catch (error) {
    await noteStandstill(watch, error);
    throw error;
  }
}

async function readNext(watch: ChainWatch): Promise<boolean> {
  const { db, chain, token, blocksAtOnce, receivers } = watch;
  const final = await chain.finalizedBlock();
  const cursor = await db.read(WHOLE_SCOPE, (tx) => store.findCursor(tx, token));
  if (!cursor) {
    // Tokens that arrived earlier were sent to addresses that no one had been given.
    await db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) => store.beginCursor(tx, token, final));
    return false;
  }
  noteLag(token.chainId, final.number - cursor.blockNumber);
  if (cursor.needsReview) return false;
  if (cursor.stoppedBecause !== null && final.number <= cursor.blockNumber)
    await db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) => store.clearStop(tx, token));
  // Waits for a server that lags behind the previous one.
  if (final.number <= cursor.blockNumber) return false;
  if (!(await isSameChain(watch, cursor))) return false;

  const from = cursor.blockNumber + 1n;
  const last = cursor.blockNumber + BigInt(blocksAtOnce);
  const to = last < final.number ? await chain.findBlock(last) : final;
  if (!to) return false;
  const owners = await db.read(WHOLE_SCOPE, (tx) =>
    Promise.all(receivers.map((receiver) => receiver.listAddresses(tx))),
  );
  const addresses = owners.flatMap((byAddress) => [...byAddress.keys()]);
  const transfers = await chain.transfersTo(addresses, { from, to: to.number });
  await retryConflicts(() =>
    db.write(WHOLE_SCOPE, WORKER_ACTOR, async (tx) => {
      if (!(await store.moveCursor(tx, token, cursor.blockNumber, to))) return;
      for (const [index, receiver] of receivers.entries()) {
        const received = receivedBy(owners[index] ?? new Map(), transfers);
        if (received.length > 0) await receiver.receive(tx, token, received);
      }
    }),
  );
  noteLag(token.chainId, final.number - to.number);
  return to.number < final.number;
}

function receivedBy(
  owners: ReadonlyMap<string, string>,
  transfers: readonly TokenTransfer[],
): ReceivedTransfer[] {
  return transfers.flatMap((transfer) => {
    const ownerId = owners.get(transfer.to.toLowerCase());
    return ownerId ? [{ ...transfer, ownerId }] : [];
  });
}

/** The cursor shows operators why reading has stopped; the log has the details. */
async function noteStandstill({ db, token }: ChainWatch, error: unknown): Promise<void> {
  const because = reasonOf(error);
  await db
    .write(WHOLE_SCOPE, WORKER_ACTOR, (tx) => store.stopCursor(tx, token, { because, needsReview: false }))
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
  { db, log, chain, token }: ChainWatch,
  { blockNumber, blockHash }: store.Cursor,
): Promise<boolean> {
  const found = await chain.findBlock(blockNumber);
  if (!found) return false;
  if (found.hash === blockHash) return true;
  const because = `block ${blockNumber} was ${blockHash} and is ${found.hash}`;
  log.error({ token, because }, 'a final block has changed: no deposit is booked until reviewed');
  await db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) =>
    store.stopCursor(tx, token, { because, needsReview: true }),
  );
  return false;
}
