import { bookLate, type LateBooking } from '../../../core/chain/book-late.ts';
import { findMissing } from '../../../core/chain/late-transfers.views.ts';
import { listMovingAddresses } from '../../../core/chain/moving-addresses.ts';
import { listOwners } from '../../../core/chain/receive-transfers.ts';
import type { Block, ChainReader, TokenTransfer } from '../../../integrations/chain/chain-reader.ts';
import { WHOLE_SCOPE } from '../../../platform/db/database.ts';
import { WORKER_ACTOR } from '../../../platform/work/worker-actor.ts';
import * as store from './chain-cursor.store.ts';

export interface ReadingAgain extends LateBooking {
  chain: Pick<ChainReader, 'allTransfersIn' | 'readAgain' | 'findBlock' | 'timeOf' | 'hasSecondServer'>;
  now: () => Date;
  /** Blocks of a range. */
  blocksAtOnce: number;
}

/** With one server, blocks are read again after this long: a node that was behind has caught up. */
const LATER_SECONDS = 3_600n;

/**
 * Reads the blocks since the last time again, from the second server, for addresses that owe or moved lately. A transfer
 * that is not booked is booked by reading its block. Each range is noted, so that a broken run goes on where it ended.
 * @returns how many transfers were missing
 */
export async function readAgain(deps: ReadingAgain): Promise<number> {
  const { db, token, chain, receivers, now, blocksAtOnce } = deps;
  const position = await db.read(WHOLE_SCOPE, (tx) => store.findRereadTo(tx, token));
  if (!position) return 0;
  const last = chain.hasSecondServer ? position.readTo : await findAnHourAgo(chain, position);
  let missing = 0;
  for (let after = position.rereadTo; after < last; ) {
    const to = after + BigInt(blocksAtOnce) < last ? after + BigInt(blocksAtOnce) : last;
    const addresses = await db.read(WHOLE_SCOPE, async (tx) => {
      const owners = await listOwners(tx, receivers);
      const moving = await listMovingAddresses(tx, now());
      return new Set([...moving].filter((address) => owners.some((each) => each.has(address))));
    });
    const found = await chain.readAgain(addresses, { from: after + 1n, to });
    missing += await bookMissing(deps, found);
    await db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) => store.recordReread(tx, token, to));
    after = to;
  }
  return missing;
}

async function bookMissing(deps: ReadingAgain, found: readonly TokenTransfer[]): Promise<number> {
  const { db, log, token, chain } = deps;
  const missing = await db.read(WHOLE_SCOPE, (tx) => findMissing(tx, token, found));
  const blocks = new Map<string, Block>(missing.map(({ block }) => [block.hash, block]));
  let booked = 0;
  for (const block of blocks.values()) {
    const present = await chain.findBlock(block.number);
    if (present?.hash === block.hash) booked += (await bookLate(deps, block, 'second_reading')).length;
    else log.warn({ block: block.hash }, 'the second server lists transfers of a block of another chain');
  }
  return booked;
}

/** The last of these blocks that was made an hour before the block read last. */
async function findAnHourAgo(
  chain: Pick<ChainReader, 'timeOf'>,
  { rereadTo, readTo }: { rereadTo: bigint; readTo: bigint },
): Promise<bigint> {
  const latest = (await chain.timeOf(readTo)) - LATER_SECONDS;
  let [old, young] = [rereadTo, readTo];
  if (old >= young) return rereadTo;
  while (young - old > 1n) {
    const middle = old + (young - old) / 2n;
    if ((await chain.timeOf(middle)) <= latest) old = middle;
    else young = middle;
  }
  return old;
}
