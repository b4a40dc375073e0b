/** Rows of one transaction: more would hold its locks for longer than a request waits. */
const BATCH = 5_000;

/**
 * Deletes rows in transactions of their own until a batch is empty. One that is not full is no sign of the end: another
 * worker may have deleted the rest of it.
 * @param deleteSome deletes at most so many rows, and returns how many
 */
export async function deleteInBatches(deleteSome: (limit: number) => Promise<number>): Promise<number> {
  for (let deleted = 0; ; ) {
    const count = await deleteSome(BATCH);
    deleted += count;
    if (count === 0) return deleted;
  }
}
