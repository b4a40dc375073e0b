/** Rows of one transaction: more would hold its locks for longer than a request waits. */
const BATCH = 5_000;

/**
 * Deletes rows in transactions of their own until a batch is not full.
 * @param deleteSome deletes at most so many rows, and returns how many
 */
export async function deleteInBatches(deleteSome: (limit: number) => Promise<number>): Promise<number> {
  for (let deleted = 0; ; ) {
    const count = await deleteSome(BATCH);
    deleted += count;
    if (count < BATCH) return deleted;
  }
}
