/** Updates of one person that a bot answers within a minute. */
const MOST_UPDATES = 20;
const MINUTE_MS = 60_000;

/** The updates of one person since a moment, in ms since 1970. */
export interface UpdateCount {
  from: number;
  count: number;
}

/**
 * Counts one more update. A minute begins with its first update; in it the bot answers a limited number, then asks once
 * to wait, then is silent until the minute is over.
 */
export function countUpdate(
  { from, count }: UpdateCount,
  now: number,
): UpdateCount & { verdict: 'answer' | 'ask_to_wait' | 'silent' } {
  const isOver = now >= from + MINUTE_MS || now < from;
  const next = isOver ? { from: now, count: 1 } : { from, count: count + 1 };
  if (next.count <= MOST_UPDATES) return { ...next, verdict: 'answer' };
  return { ...next, verdict: next.count === MOST_UPDATES + 1 ? 'ask_to_wait' : 'silent' };
}
