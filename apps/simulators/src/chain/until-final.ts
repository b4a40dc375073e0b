/** What is needed of a chain that makes a block for each transaction, and others when it is told to. */
interface MinedChain {
  blockNumber(): Promise<bigint>;
  /** Makes one block. */
  mine(): Promise<void>;
}

/**
 * Makes blocks final by making more of them, one at a time, until those with transactions have enough after them: a
 * chain that nobody uses does not grow.
 * @param blocks after which one is final
 * @returns takes the next step; steps are taken one after the other
 */
export function createFinisher(chain: MinedChain, blocks: number): () => Promise<void> {
  let left = blocks;
  let known = 0n;
  return async () => {
    const number = await chain.blockNumber();
    // A block that was not made here has a transaction, whichever block is the latest by now.
    if (number > known) left = blocks;
    known = number;
    if (left === 0) return;
    await chain.mine();
    left -= 1;
    known += 1n;
  };
}
