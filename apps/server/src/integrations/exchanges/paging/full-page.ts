/**
 * Splits a full page of a list that is paged by time. Rows of its last ms may continue in the next page, so they are
 * left for it, and the next page begins at that same ms: no row is lost or repeated. A page of one single ms cannot be
 * split: it is taken whole, and the walk continues behind it.
 * @param rows in the order of the walk
 * @param step 1 for a walk forwards, -1 for one backwards
 */
export function splitFullPage<T>(
  rows: readonly T[],
  timeOf: (row: T) => number,
  step: 1 | -1,
): { rows: T[]; nextMs: number } {
  const times = rows.map(timeOf);
  const edge = step === 1 ? Math.max(...times) : Math.min(...times);
  const inside = rows.filter((row) => timeOf(row) !== edge);
  return inside.length > 0 ? { rows: inside, nextMs: edge } : { rows: [...rows], nextMs: edge + step };
}
