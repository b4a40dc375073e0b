/**
 * Answers to a signed-in person carry it: the position from which the event stream reports what changes after
 * the read.
 */
const HEADER = 'x-events-position';

let oldest = Number.POSITIVE_INFINITY;

/**
 * Notes the oldest position, from which a stream that opens later has to report. Ignores a missing or invalid
 * header.
 */
export function noteReadPosition(headers: Headers): void {
  oldest = Math.min(oldest, Number(headers.get(HEADER)) || oldest);
}

/**
 * The stream loads after the screen, so what it shows was read before. Answers from here on count for the
 * next stream: that of the person who signs in next, which then reads more than it has to.
 * @returns the position of the oldest answer, from which the stream has to report; null: nothing was read
 */
export function takeReadPosition(): bigint | null {
  const from = oldest;
  oldest = Number.POSITIVE_INFINITY;
  return Number.isSafeInteger(from) ? BigInt(from) : null;
}
