/** Blocks of one search. The next comparison finds the rest. */
const MOST_FOUND = 20;

export interface Search {
  /** Up to here nothing is missing. */
  after: bigint;
  /** The block of the comparison. */
  to: bigint;
  /** How much is missing in these blocks; null: not known. */
  totalUnits: bigint | null;
  /** How much is missing in the blocks after one, up to `to`: what the chain received there beyond our records. */
  missedAfter(block: bigint): Promise<bigint>;
}

export interface Searched {
  /** Blocks with a transfer that is not booked, the latest first. */
  blocks: bigint[];
  /** Why the search ended early: a server that has no state of old blocks. Null: it did not. */
  failure: unknown;
}

/**
 * Finds the blocks whose transfers are missing, backwards: in steps of doubled width until something is missing, then by
 * halving. A payment missed a minute ago needs no server with the state of old blocks.
 */
export async function searchMissed({ after, to, totalUnits, missedAfter }: Search): Promise<Searched> {
  const blocks: bigint[] = [];
  let found = 0n;
  let end = to;
  try {
    while (end > after && blocks.length < MOST_FOUND && (totalUnits === null || found < totalUnits)) {
      let without = end;
      let within = end - 1n;
      for (let step = 2n; (await missedAfter(within)) <= found; step *= 2n) {
        if (within === after) return { blocks, failure: null };
        without = within;
        within = end - step > after ? end - step : after;
      }
      while (without - within > 1n) {
        const middle: bigint = within + (without - within) / 2n;
        if ((await missedAfter(middle)) > found) within = middle;
        else without = middle;
      }
      blocks.push(without);
      found = await missedAfter(within);
      end = within;
    }
    return { blocks, failure: null };
  } catch (failure) {
    return { blocks, failure };
  }
}
