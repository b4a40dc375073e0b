import { createHash } from 'node:crypto';

/** Why a list ended before its venue said so. */
export type EarlyEnd =
  /** The next page was read already: the venue's cursor names its own page, or leads in a circle. */
  | 'cursor_repeated'
  /** All rows of a page were read already. */
  | 'page_repeated'
  /** A page has no rows and still names a next one. */
  | 'page_empty'
  /** A page of a list by time leads back to its own beginning. */
  | 'time_repeated'
  /** More pages than any account fills. */
  | 'too_many_pages'
  /** The venue refused a range at the edge of its memory. */
  | 'range_refused';

/** What a page says of a list that broke off. */
export const earlyEndOf = (end: EarlyEnd | null): { endedEarly?: true } =>
  end === null ? {} : { endedEarly: true };

export interface Page<T> {
  rows: T[];
  nextCursor: string | null;
}

/** A page without the rows that were read before, and the page to read next. */
export interface Step<T> extends Page<T> {
  /** Null: the venue ended the list, or it goes on. */
  end: EarlyEnd | null;
}

export interface PageTrail {
  /**
   * Takes the next page of a list. Rows that an earlier page of this trail listed are left out.
   * @param idOf names a row within its list
   */
  take<T>(page: Page<T>, idOf: (row: T) => string): Step<T>;
  /** The trail as text that `followPages` continues, for a list that is read in several turns. */
  marks(): string[];
}

/** Short, and longer than any list needs: two of 100,000 pages are alike once in 10^12 lists. */
const mark = (kind: 'cursor' | 'page', text: string): string =>
  createHash('sha256').update(`${kind} ${text}`).digest('base64url').slice(0, 12);

/**
 * The one rule for lists that name their next page by a cursor. A list ends when its venue says so, when a page is
 * empty or brings nothing new, and when its next page was read already. Whatever the venue answers, a list of n pages
 * takes at most n + 1 requests.
 * @param before the marks of the pages read in earlier turns: their rows are recognised only by whole pages
 */
export function followPages(before: readonly string[] = [], mostPages = 1_000): PageTrail {
  const seen = new Set(before);
  const rowsSeen = new Set<string>();
  let pages = before.length / 2;

  return {
    take<T>({ rows: listed, nextCursor }: Page<T>, idOf: (row: T) => string): Step<T> {
      const page = mark('page', [...new Set(listed.map(idOf))].sort().join('\n'));
      const isRepeated = listed.length > 0 && seen.has(page);
      const rows: T[] = [];
      for (const row of isRepeated ? [] : listed) {
        const id = idOf(row);
        if (rowsSeen.has(id)) continue;
        rowsSeen.add(id);
        rows.push(row);
      }
      if (nextCursor === null) return { rows, nextCursor, end: null };
      const cursor = mark('cursor', nextCursor);
      pages += 1;
      const end = earlyEnd({
        isEmpty: listed.length === 0,
        isRepeated: isRepeated || rows.length === 0,
        isAsked: seen.has(cursor),
        isTooLong: pages >= mostPages,
      });
      seen.add(page).add(cursor);
      return { rows, nextCursor: end === null ? nextCursor : null, end };
    },
    marks: () => [...seen],
  };
}

function earlyEnd(facts: {
  isEmpty: boolean;
  isRepeated: boolean;
  isAsked: boolean;
  isTooLong: boolean;
}): EarlyEnd | null {
  if (facts.isEmpty) return 'page_empty';
  if (facts.isAsked) return 'cursor_repeated';
  if (facts.isRepeated) return 'page_repeated';
  return facts.isTooLong ? 'too_many_pages' : null;
}

/**
 * The next place of a list that is read by time: null at its end. A place that is not behind the present one would be
 * read without end, so it ends the list as well.
 * @param step 1 for a walk forwards, -1 for one backwards
 */
export function nextInTime(
  at: number,
  next: number | null,
  step: 1 | -1,
): { next: number | null; end: EarlyEnd | null } {
  if (next === null || (next - at) * step > 0) return { next, end: null };
  return { next: null, end: 'time_repeated' };
}
