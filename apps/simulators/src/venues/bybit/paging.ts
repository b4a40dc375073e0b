import { integerOf } from '../http/parameters.ts';
import type { VenueRequest } from '../venue.ts';
import { refuse } from './answers.ts';

/** One page of the rows; the cursor is the next offset, percent-encoded once like the venue's. */
export function page<T>(rows: T[], limit: number, { params }: VenueRequest, now: number) {
  const cursor = params.get('cursor') ?? '';
  // Clients send it back unchanged or encoded once more; the venue accepts both.
  const place = /^(?:page(?::|%3A)(\d{1,9}))?$/i.exec(cursor);
  if (!place) throw refuse(10001, now, 'cursor');
  const from = Number(place[1] ?? 0);
  const list = rows.slice(from, from + limit);
  // A full page promises another one, which may be empty.
  return { list, nextPageCursor: list.length === limit ? `page%3A${from + limit}` : '' };
}

export function readLimit({ params }: VenueRequest, usual: number, most: number, now: number): number {
  const limit = integerOf(params, 'limit') ?? usual;
  if (integerOf(params, 'limit') === null || limit < 1 || limit > most) throw refuse(10001, now, 'limit');
  return limit;
}

/** A span of time as the venue reads it: both ends, one of them, or neither, and never more than `mostMs`. */
export function readSpan(
  { params }: VenueRequest,
  { usualMs, mostMs }: { usualMs: number; mostMs: number },
  now: number,
): { from: number; to: number } {
  const start = integerOf(params, 'startTime');
  const end = integerOf(params, 'endTime');
  if (start === null || end === null) throw refuse(10001, now, 'startTime or endTime');
  const to = end ?? (start === undefined ? now : start + usualMs);
  const from = start ?? to - usualMs;
  if (to < from) throw refuse(10001, now, 'startTime is after endTime');
  if (to - from > mostMs) throw refuse(10001, now, 'the time range is too long');
  return { from, to };
}

export function readCategory({ params }: VenueRequest, now: number, others: string[] = []): string {
  const category = params.get('category') ?? '';
  if (!['linear', 'inverse', 'option', ...others].includes(category)) throw refuse(10001, now, 'category');
  return category;
}
