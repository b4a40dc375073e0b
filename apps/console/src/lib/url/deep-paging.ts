import type { Direction } from './sorting.ts';

/** The largest offset that the server accepts. */
export const REACH = 10_000;

export interface ListPage {
  data: unknown[];
  meta: { total: number; next_cursor: string | null };
}

/** The paging parameters of a list call. */
export interface DeepPaging {
  limit: string;
  offset: string;
  cursor?: string;
  orderDir: Direction;
}

export interface Wanted<P> {
  /** The list's order and filters, without the direction. */
  list: string;
  /** The first row, counted from 0. */
  first: number;
  rows: number;
  direction: Direction;
  read(paging: DeepPaging, signal?: AbortSignal): Promise<P>;
  signal: AbortSignal;
}
