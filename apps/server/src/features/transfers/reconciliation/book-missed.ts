import { bookLate, type LateBooking } from '../../../core/chain/book-late.ts';
import { listKnownMoves } from '../../../core/chain/late-transfers.views.ts';
import type { ChainReader } from '../../../integrations/chain/chain-reader.ts';
import type { ChainSender } from '../../../integrations/chain/chain-sender.ts';
import { WHOLE_SCOPE } from '../../../platform/db/database.ts';
import type { QuietWallet, ReadTo } from './quiet-wallets.views.ts';
import { searchMissed } from './search-missed.ts';

export interface MissedBooking extends LateBooking {
  chain: Pick<ChainReader, 'allTransfersIn' | 'findBlock'>;
  tokenBalances: ChainSender['tokenBalances'];
}

/**
 * Searches the blocks whose transfers to an address were missed, and books them. Blocks that hold no transfer to book
 * leave the difference as it is.
 * @returns booked: something was; nothing: no transfer explains the difference; unknown: no server has the state of the
 * blocks in question
 */
export async function bookMissed(
  deps: MissedBooking,
  { address, ledgerUnits, sound }: QuietWallet,
  { number: to, firstBlock }: ReadTo,
  chainUnits: bigint,
): Promise<'booked' | 'nothing' | 'unknown'> {
  const { db, log, token, chain } = deps;
  const after = sound?.blockNumber ?? firstBlock;
  if (after === null || after >= to) return 'unknown';
  const known = await db.read(WHOLE_SCOPE, (tx) => listKnownMoves(tx, token, { address, after, to }));
  const { blocks, failure } = await searchMissed({
    after,
    to,
    totalUnits: sound && chainUnits - ledgerUnits - sound.surplusUnits,
    async missedAfter(blockNumber) {
      const block = await chain.findBlock(blockNumber);
      if (!block) throw new Error(`no server has block ${blockNumber}`);
      const [then = 0n] = await deps.tokenBalances([address], block);
      const booked = known.reduce(
        (sum, move) => (move.blockNumber > blockNumber ? sum + move.units : sum),
        0n,
      );
      return chainUnits - then - booked;
    },
  });
  let booked = 0;
  for (const blockNumber of blocks.toReversed()) {
    const block = await chain.findBlock(blockNumber);
    if (block) booked += (await bookLate(deps, block, 'balance')).length;
  }
  if (failure !== null)
    log.warn({ err: failure, address, after: after.toString() }, 'a search for missed transfers ended early');
  if (booked > 0) return 'booked';
  return failure === null ? 'nothing' : 'unknown';
}
