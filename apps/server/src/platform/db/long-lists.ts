import pLimit from 'p-limit';

const LONG_LIST = 1_000;
const AT_ONCE = 2;

/** Reads the rows of a page. */
export type ReadRows = <T>(limit: number, read: () => Promise<T>) => Promise<T>;

/** Pages of more than a thousand rows run one at a time, across all lists: their megabytes must not add up. */
export function createReadRows(): ReadRows {
  const inTurn = pLimit(AT_ONCE);
  return (limit, read) => (limit > LONG_LIST ? inTurn(read) : read());
}
