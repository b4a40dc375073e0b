/** Of every answer that somebody signed in gets: from where the event stream tells what changes after it was read. */
const HEADER = 'x-events-position';

let oldest = Number.POSITIVE_INFINITY;

/** Notes from where a stream has to tell that is followed later. What is no position is not below any. */
export function noteReadPosition(headers: Headers): void {
  oldest = Math.min(oldest, Number(headers.get(HEADER)) || oldest);
}

/**
 * The stream loads after the screen, so what it shows was read before. Answers from here on count for the next stream: of
 * the person who signs in next, which then reads more than it has to.
 * @returns from where the stream has to tell: the position of the oldest answer; null: nothing was read
 */
export function takeReadPosition(): bigint | null {
  const from = oldest;
  oldest = Number.POSITIVE_INFINITY;
  return Number.isSafeInteger(from) ? BigInt(from) : null;
}
