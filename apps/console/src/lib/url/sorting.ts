export type Direction = 'asc' | 'desc';

export interface Sort<C extends string> {
  column: C;
  direction: Direction;
}

/** Choosing the sorted column reverses the order; a newly chosen column starts descending. */
export function nextSort<C extends string>(current: Sort<C>, column: C): Sort<C> {
  if (current.column !== column) return { column, direction: 'desc' };
  return { column, direction: current.direction === 'desc' ? 'asc' : 'desc' };
}
