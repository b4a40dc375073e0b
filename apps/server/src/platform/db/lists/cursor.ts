import { createHash } from 'node:crypto';
import type { Scope } from '@copydesk/domain/access';
import { Refusal } from '../../refusal.ts';
import type { KeyType, Paging, Reach, SortKey } from './keyset.ts';
import type { PageOfRows } from './list-page.ts';

/** The list that a cursor belongs to; no other list accepts it. */
export interface CursorPlace {
  list: string;
  scope: Scope;
  /** Order and filters from the caller; options that only change how much of a row is shown are left out. */
  asked: object;
}

const PATTERNS: Record<KeyType, RegExp> = {
  timestamptz: /^\d{4,6}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?\+00$/,
  float8: /^-?(\d+(\.\d+)?(e[+-]?\d+)?|Infinity)$/,
  numeric: /^-?\d{1,60}(\.\d{1,20})?$/,
  // biome-ignore lint/suspicious/noControlCharactersInRegex: PostgreSQL refuses NUL
  text: /^[^\u0000]*$/,
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
};

/**
 * The requested rows, by cursor or offset.
 * @throws Refusal `invalid_cursor` when the cursor is not one of this list
 */
export function reachAsked(
  place: CursorPlace,
  keys: readonly SortKey[],
  paging: Paging,
  defaultLimit: number,
): Reach {
  const { limit = defaultLimit, offset = 0, cursor } = paging;
  return { limit, offset, ...(cursor !== undefined && { after: readCursor(place, keys, cursor) }) };
}

/** The cursor of the page after this one; null behind the end of the list. */
export function nextCursor(place: CursorPlace, { limit }: Reach, { rows, last }: PageOfRows): string | null {
  return last && rows === limit ? writeCursor(place, last) : null;
}

/** The cursor after a row, built from the texts of its sort keys. It reveals nothing beyond the row itself. */
function writeCursor(place: CursorPlace, row: readonly string[]): string {
  return Buffer.from(JSON.stringify([fingerprint(place), ...row])).toString('base64url');
}

/** The row that a cursor points behind, as texts of its sort keys. Refuses cursors written for another list. */
function readCursor(place: CursorPlace, keys: readonly SortKey[], cursor: string): string[] {
  const [mark, ...row] = parse(cursor);
  const isRow =
    row.length === keys.length && keys.every(({ type }, at) => PATTERNS[type].test(row[at] ?? ''));
  if (mark !== fingerprint(place) || !isRow) throw new Refusal('invalid_cursor');
  return row;
}

function parse(cursor: string): string[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (Array.isArray(parts) && parts.every((part) => typeof part === 'string')) return parts;
  } catch {
    // Not a cursor of this server.
  }
  throw new Refusal('invalid_cursor');
}

function fingerprint({ list, scope, asked }: CursorPlace): string {
  const given = Object.entries(asked)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const providers = scope.kind === 'all' ? 'all' : [...scope.providerIds].sort();
  return createHash('sha256')
    .update(JSON.stringify([list, providers, given]))
    .digest('base64url')
    .slice(0, 16);
}
