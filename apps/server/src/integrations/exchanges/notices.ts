import type { Exchange } from '@copydesk/domain/catalogue';
import { LRUCache } from 'lru-cache';
import type { EarlyEnd } from './paging/page-trail.ts';

/**
 * Something odd about a venue that an operator should see although the read went on: a list that ended before its venue
 * said so, or a code that is in none of its lists. It holds our own words and a printable code, never the venue's text.
 */
export type VenueNotice = { exchange: Exchange; call: string } & (
  | { kind: 'list_ended'; why: EarlyEnd }
  | { kind: 'unknown_code'; why: string }
);

export type NoteVenue = (notice: VenueNotice) => void;

/** Counts of notices by reason. */
export interface NoticeCounts {
  lists: Record<string, number>;
  codes: Record<string, number>;
}

/** The most different codes of one venue that are counted by name: a venue that makes up codes cannot fill memory. */
const MOST_CODES = 40;
const OTHER = 'other';
/** The same notice is passed on once in this time: some lists repeat their cursor at every read. */
const QUIET_MS = 3_600_000;
const MOST_QUIET = 1_000;

/** Counts the notices of a venue, and passes each kind of them on once an hour. */
export function createNotices(now: () => number, passOn: NoteVenue) {
  const counts: NoticeCounts = { lists: {}, codes: {} };
  const quietUntil = new LRUCache<string, number>({ max: MOST_QUIET });

  function count(of: Record<string, number>, why: string): void {
    const isKnown = Object.hasOwn(of, why);
    const name = isKnown || Object.keys(of).length < MOST_CODES ? why : OTHER;
    of[name] = (of[name] ?? 0) + 1;
  }

  return {
    counts,
    note(notice: VenueNotice): void {
      count(notice.kind === 'list_ended' ? counts.lists : counts.codes, notice.why);
      const key = `${notice.call} ${notice.kind} ${notice.why}`;
      if ((quietUntil.get(key) ?? 0) > now()) return;
      quietUntil.set(key, now() + QUIET_MS);
      passOn(notice);
    },
  };
}
