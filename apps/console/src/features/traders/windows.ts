/** Offsets of the windows that cover the rows from first to last, both included. */
export function windowsFor(first: number, last: number, windowRows: number): number[] {
  const from = Math.floor(Math.max(0, first) / windowRows);
  const to = Math.floor(Math.max(0, first, last) / windowRows);
  return Array.from({ length: to - from + 1 }, (_, step) => (from + step) * windowRows);
}

/** The window of a row: its offset, and the row's index in it. */
export function placeOf(row: number, windowRows: number): { offset: number; at: number } {
  const at = row % windowRows;
  return { offset: row - at, at };
}
