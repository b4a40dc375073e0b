/**
 * Answers to a signed-in person carry it: the position from which the event stream reports what changes after
 * the read.
 */
const HEADER = 'x-events-position';
/** How far in the server's log an answer has seen, and the next one has to: lists may come from replicas. */
export const LOG_HEADER = 'copydesk-position';

/** The highest; empty: not known, and the server asks its leader. */
export let logPosition = '';

let oldest = Number.POSITIVE_INFINITY;

/**
 * Notes the oldest position, from which a stream that opens later has to report, and the highest of the log. Ignores
 * missing or invalid headers. Positions of the log compare as texts: the server pads them.
 * @param sent with the request; an answer below it says that it is void: lost with a leader, or that of a write is not known
 */
export function noteReadPosition(headers: Headers, sent?: string): void {
  const seen = headers.get(LOG_HEADER);
  // Nothing is below undefined.
  if (seen && (seen > logPosition || seen < (sent as string))) logPosition = seen;
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
