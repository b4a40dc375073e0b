import { GatewayError } from '../../gateway.ts';
import { afterWindow, firstWindow, type TimeRange } from '../../paging/windows.ts';
import type { Endpoint, Session } from '../../venue.ts';

export interface Page<T> {
  rows: T[];
  nextCursor: string | null;
}

/** Enough for every list but the transaction log: limits the reading of a list without an end. */
const MOST_PAGES = 50;

/** Passes all pages of a list to `take`, in the venue's order. */
export async function walkPages<T>(
  session: Session,
  { endpoint, params, mostPages = MOST_PAGES }: ListRequest,
  readPage: (answer: unknown) => Page<T>,
  take: (rows: T[]) => void,
): Promise<void> {
  let cursor: string | null = null;
  for (let pages = 0; pages < mostPages; pages++) {
    const place: Record<string, unknown> = cursor === null ? {} : { cursor };
    const { rows, nextCursor } = readPage(await session.call(endpoint, { ...params, ...place }));
    take(rows);
    // A full last page promises another one, which is empty, and some lists repeat their cursor.
    if (nextCursor === null || nextCursor === cursor || rows.length === 0) return;
    cursor = nextCursor;
  }
  throw new GatewayError('bad_response');
}

export interface ListRequest {
  endpoint: Endpoint;
  params: Record<string, unknown>;
  mostPages?: number;
}

/** All rows of a list. */
export async function readPages<T>(
  session: Session,
  request: ListRequest,
  readPage: (answer: unknown) => Page<T>,
): Promise<T[]> {
  const all: T[] = [];
  await walkPages(session, request, readPage, (rows) => all.push(...rows));
  return all;
}

/** A span of time in windows that one request may cover, oldest first. */
export function windowsOf(span: TimeRange, windowMs: number): TimeRange[] {
  const windows: TimeRange[] = [];
  let rest = span;
  for (let window = firstWindow(rest, windowMs); window; window = firstWindow(rest, windowMs)) {
    windows.push(window);
    rest = afterWindow(rest, window);
  }
  return windows;
}

/** Each row once: Bybit counts some ranges in whole seconds, so that windows overlap. */
export function distinctById<T extends { id: string }>(rows: readonly T[]): T[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}
