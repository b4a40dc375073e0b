import { GatewayError } from '../gateway.ts';
import type { Endpoint, Session } from '../venue.ts';
import { followPages, type Page } from './page-trail.ts';

export interface ListRequest {
  endpoint: Endpoint;
  params: Record<string, unknown>;
  /** More than any account fills: a list that still brings something new is given up. */
  mostPages?: number;
  /** A list that leads in a circle is an error: a sum over it would be wrong. */
  isWhole?: boolean;
}

const MOST_PAGES = 50;

/**
 * Passes all pages of a list to `take`, in the venue's order and each row once, and ends where `followPages` does.
 * @param idOf names a row within the list
 * @throws GatewayError bad_response for a list of more than `mostPages`
 */
export async function walkPages<T>(
  session: Session,
  { endpoint, params, mostPages = MOST_PAGES, isWhole = false }: ListRequest,
  readPage: (answer: unknown) => Page<T>,
  { idOf, take }: { idOf: (row: T) => string; take: (rows: T[]) => void },
): Promise<void> {
  const trail = followPages([], mostPages);
  let cursor: string | null = null;
  do {
    const place: Record<string, unknown> = cursor === null ? {} : { cursor };
    const listed = readPage(await session.call(endpoint, { ...params, ...place }));
    // Some lists repeat the last page's own cursor, which is their ordinary end.
    const isOrdinary = listed.nextCursor === cursor || listed.rows.length === 0;
    const { rows, nextCursor, end } = trail.take(listed, idOf);
    take(rows);
    session.noteEnd(endpoint, end);
    if (end === 'too_many_pages' || (isWhole && end !== null && !isOrdinary))
      throw new GatewayError('bad_response');
    cursor = nextCursor;
  } while (cursor !== null);
}

/** All rows of a list, each once. */
export async function readPages<T>(
  session: Session,
  request: ListRequest,
  readPage: (answer: unknown) => Page<T>,
  idOf: (row: T) => string,
): Promise<T[]> {
  const all: T[] = [];
  await walkPages(session, request, readPage, { idOf, take: (rows) => all.push(...rows) });
  return all;
}
