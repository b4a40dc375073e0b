/** The part of a chain that this needs: a block for each transaction, and others on request. */
interface MinedChain {
  blockNumber(): Promise<bigint>;
  /** Makes one block. */
  mine(): Promise<void>;
}

/**
 * Makes blocks final by adding blocks, one at a time, until those with transactions have enough after them: an idle
 * chain does not grow.
 * @param blocks number of later blocks that make one final
 * @returns a function that takes the next step; steps run one after the other
 */
export function createFinisher(chain: MinedChain, blocks: number): () => Promise<void> {
  let left = blocks;
  let known = 0n;
  return async () => {
    const number = await chain.blockNumber();
    // A block from elsewhere contains a transaction, whichever block is the latest now.
    if (number > known) left = blocks;
    known = number;
    if (left === 0) return;
    await chain.mine();
    left -= 1;
    known += 1n;
  };
}
