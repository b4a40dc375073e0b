/** The part of a chain that this needs: a block for each transaction, and others on request. */
interface MinedChain {
  blockNumber(): Promise<bigint>;
  /** Makes one block. */
  mine(): Promise<void>;
}

/**
 * Makes blocks final by adding blocks, one at a time, until those with transactions have enough after them. An idle chain
 * grows by one block every so many steps, so that its final block does not look like that of a chain that stands still.
 * @param blocks number of later blocks that make one final
 * @param idleSteps steps without a transaction until the next block
 * @returns a function that takes the next step; steps run one after the other
 */
export function createFinisher(chain: MinedChain, blocks: number, idleSteps: number): () => Promise<void> {
  let idle = 0;
  let left = blocks;
  let known = 0n;
  return async () => {
    const number = await chain.blockNumber();
    // A block from elsewhere contains a transaction, whichever block is the latest now.
    if (number > known) left = blocks;
    known = number;
    idle = left === 0 ? idle + 1 : 0;
    if (left === 0 && idle < idleSteps) return;
    await chain.mine();
    idle = 0;
    left = Math.max(0, left - 1);
    known += 1n;
  };
}
