/** Ranges that a server answers before a wider one is tried. */
const GROWS_AFTER = 20;
/** How long a refused width is not tried again. */
const REFUSED_MS = 3_600_000;

/** How many blocks a server takes in one request for logs. */
export interface RangeSize {
  blocks(): bigint;
  /** Call after an answer to a request of this many blocks. */
  noteAnswer(blocks: bigint): void;
  /** Call after a refusal. @returns whether fewer are left to try */
  noteRefusal(blocks: bigint): boolean;
}

/**
 * Halves after a refusal and grows slowly: servers word their limits in many ways (100 blocks, 10,000 results, so many
 * bytes or seconds), and the limit of results depends on the blocks.
 * @param most the configured number
 * @param now in milliseconds
 */
export function createRangeSize(most: bigint, now: () => number): RangeSize {
  let size = most;
  let answers = 0;
  /** The widest that was answered since the last refusal of as few. */
  let answered = 0n;
  let refused: { blocks: bigint; at: number } | null = null;
  return {
    blocks: () => size,
    noteAnswer(blocks) {
      if (blocks < size) return;
      answered = blocks;
      answers += 1;
      if (size === most || answers < GROWS_AFTER) return;
      answers = 0;
      if (refused && now() - refused.at >= REFUSED_MS) refused = null;
      const wider = refused ? (size + refused.blocks) >> 1n : 2n * size;
      size = wider < most ? wider : most;
    },
    noteRefusal(blocks) {
      answers = 0;
      refused = { blocks, at: now() };
      if (blocks <= 1n) return false;
      size = answered > 0n && answered < blocks ? answered : blocks >> 1n;
      answered = 0n;
      return true;
    },
  };
}
