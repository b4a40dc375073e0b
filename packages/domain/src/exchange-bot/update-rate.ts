/** Updates of one person that a bot answers within a minute. */
const MOST_UPDATES = 20;
const MINUTE_MS = 60_000;

/** The updates of one person since a moment, in ms since 1970. */
export interface UpdateCount {
  from: number;
  count: number;
}

/**
 * Counts one more update, by the time at which the person sent it. A minute begins with its first update; in it the bot answers a limited number, then asks once
 * to wait, then is silent until the minute is over. Times may go back a little: those of messages are whole seconds,
 * and those of presses are when they are handled.
 */
export function countUpdate(
  { from, count }: UpdateCount,
  sentAt: number,
): UpdateCount & { verdict: 'answer' | 'ask_to_wait' | 'silent' } {
  const isOver = sentAt >= from + MINUTE_MS || sentAt <= from - MINUTE_MS;
  const next = isOver ? { from: sentAt, count: 1 } : { from, count: count + 1 };
  if (next.count <= MOST_UPDATES) return { ...next, verdict: 'answer' };
  return { ...next, verdict: next.count === MOST_UPDATES + 1 ? 'ask_to_wait' : 'silent' };
}
