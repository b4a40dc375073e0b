import { type Owners, receiveTransfers } from '../../../core/chain/receive-transfers.ts';
import type { Token, TransferReceiver } from '../../../core/chain/transfer-receiver.ts';
import type { Block, ChainReader, TokenTransfer } from '../../../integrations/chain/chain-reader.ts';
import { isDatabaseGone } from '../../../platform/db/connection/outage.ts';
import { type Database, WHOLE_SCOPE } from '../../../platform/db/database.ts';
import { retryConflicts } from '../../../platform/db/retry-conflicts.ts';
import type { Logger } from '../../../platform/observe/log.ts';
import { WORKER_ACTOR } from '../../../platform/work/worker-actor.ts';
import * as store from './chain-cursor.store.ts';
import { recordLag } from './measure-lag.ts';
import { listWanted } from './wanted-addresses.ts';

export interface ChainWatch {
  db: Database;
  log: Logger;
  chain: Pick<
    ChainReader,
    | 'check'
    | 'finalizedBlock'
    | 'findBlock'
    | 'blocksAfter'
    | 'sentenceOf'
    | 'transfersIn'
    | 'nextRange'
    | 'repeats'
  >;
  token: Token;
  /** Blocks of a range, far below the head. */
  blocksAtOnce: number;
  /** Receivers by kind of address. No two of them have an address in common. */
  receivers: readonly TransferReceiver[];
}

/** Ranges end this far below the final block: nodes behind one address differ by some blocks near the head. */
const HEAD_BLOCKS = 200n;
/** Blocks near the head per transaction. */
const HEAD_AT_ONCE = 20n;
/** Requests at the same time: servers count them by the second. */
const BLOCKS_TOGETHER = 10;

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
    // The database failed, not the chain.
    if (isDatabaseGone(error)) throw error;
    const because = watch.chain.sentenceOf(error);
    await recordStandstill(watch, because);
    const repeats = watch.chain.repeats(error);
    if (repeats === null) throw error;
    watch.log.warn({ because }, 'a server of the chain does not answer as asked: it is asked again');
    return repeats === 'at_once';
  }
}

async function readNext(watch: ChainWatch): Promise<boolean> {
  const { db, chain, token, blocksAtOnce } = watch;
  const final = await chain.finalizedBlock();
  const cursor = await db.read(WHOLE_SCOPE, (tx) => store.findCursor(tx, token));
  if (!cursor) {
    // On the first run, reading begins here: no trader had an address before.
    await db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) => store.beginCursor(tx, token, final));
    return false;
  }
  recordLag(token.chainId, final.number - cursor.blockNumber);
  if (cursor.needsReview) return false;
  if (cursor.stoppedBecause !== null && final.number <= cursor.blockNumber) await clearStop(watch);
  // Waits for a server that lags behind the previous one.
  if (final.number <= cursor.blockNumber) return false;
  const at = { number: cursor.blockNumber, hash: cursor.blockHash as Block['hash'] };
  const deepest = final.number - HEAD_BLOCKS;
  if (deepest - at.number >= BigInt(blocksAtOnce)) return readRange(watch, cursor, at, deepest);
  const last = least(at.number + HEAD_AT_ONCE, final.number);
  const moved = await readBlocks(watch, at, last);
  if (moved) recordLag(token.chainId, final.number - last);
  return moved && last < final.number;
}

/**
 * Reads each of the next blocks by its hash: an empty answer to a range of blocks would be no proof, because it may come
 * from a node that does not have them yet.
 */
async function readBlocks(watch: ChainWatch, at: Block, to: bigint): Promise<boolean> {
  const { db, chain, receivers } = watch;
  const blocks = await chain.blocksAfter(at, to);
  const last = blocks?.at(-1);
  if (!blocks || !last) {
    if (await isSameChain(watch, at)) await recordStandstill(watch, `no block follows block ${at.number}`);
    return false;
  }
  const { owners, wanted } = await db.read(WHOLE_SCOPE, (tx) => listWanted(tx, receivers));
  const found: TokenTransfer[][] = [];
  for (let first = 0; first < blocks.length; first += BLOCKS_TOGETHER)
    found.push(
      ...(await Promise.all(
        blocks.slice(first, first + BLOCKS_TOGETHER).map((block) => chain.transfersIn(block, wanted)),
      )),
    );
  return book(watch, { from: at, to: last, owners, transfers: found.flat() });
}

/** Takes the next step through ranges. @returns whether another step can follow at once */
async function readRange(
  watch: ChainWatch,
  cursor: store.Cursor,
  at: Block,
  deepest: bigint,
): Promise<boolean> {
  const { db, log, chain, blocksAtOnce, receivers } = watch;
  if (!(await isSameChain(watch, at))) return false;
  const { owners, wanted } = await db.read(WHOLE_SCOPE, (tx) => listWanted(tx, receivers));
  const { addresses } = wanted;
  const step = await chain.nextRange({ after: at.number, deepest, blocks: BigInt(blocksAtOnce), addresses });
  if (step.state === 'proved') {
    const { to, transfers } = step;
    await book(watch, { from: at, to, owners, transfers });
    return true;
  }
  if (step.state === 'differing') {
    log.warn({ because: step.because }, 'two readings differ: the blocks are read one by one');
    await recordStandstill(watch, step.because);
    let from = at;
    while (from.number < step.to.number) {
      const last = least(from.number + HEAD_AT_ONCE, step.to.number);
      const to = last === step.to.number ? step.to : await chain.findBlock(last);
      if (!to || !(await readBlocks(watch, from, last))) return true;
      from = to;
    }
    return true;
  }
  if (cursor.stoppedBecause !== null) await clearStop(watch);
  return step.state === 'read_ahead';
}

/** Books what arrived, and moves the cursor. @returns false when another worker was faster */
async function book(
  watch: ChainWatch,
  { from, to, owners, transfers }: { from: Block; to: Block; owners: Owners; transfers: TokenTransfer[] },
): Promise<boolean> {
  const { db, token } = watch;
  let isMoved = false;
  await retryConflicts(() =>
    db.write(WHOLE_SCOPE, WORKER_ACTOR, async (tx) => {
      isMoved = await store.moveCursor(tx, token, from.number, to);
      if (isMoved) await receiveTransfers(tx, watch, owners, transfers);
    }),
  );
  return isMoved;
}

const clearStop = ({ db, token }: ChainWatch) =>
  db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) => store.clearStop(tx, token));

/** The cursor shows operators why reading has stopped; the log has the details. */
async function recordStandstill({ db, token }: ChainWatch, because: string): Promise<void> {
  await db
    .write(WHOLE_SCOPE, WORKER_ACTOR, (tx) => store.stopCursor(tx, token, { because, needsReview: false }))
    // Without a database the note cannot be saved, and the caller gets the error anyway.
    .catch(() => {});
}

/** A changed final block means another chain or a broken server; a missing one may still appear. */
async function isSameChain({ db, log, chain, token }: ChainWatch, { number, hash }: Block): Promise<boolean> {
  const found = await chain.findBlock(number);
  if (!found) return false;
  if (found.hash === hash) return true;
  // A server of another chain has other blocks, and no person has to look at ours.
  await chain.check();
  const because = `block ${number} was ${hash} and is ${found.hash}`;
  log.error({ token, because }, 'a final block has changed: no deposit is booked until reviewed');
  await db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) =>
    store.stopCursor(tx, token, { because, needsReview: true }),
  );
  return false;
}

const least = (a: bigint, b: bigint) => (a < b ? a : b);
