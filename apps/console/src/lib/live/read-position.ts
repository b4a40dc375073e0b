/** Of every answer that somebody signed in gets: from where the event stream tells what changes after it was read. */
const HEADER = 'x-events-position';

let oldest: bigint | null = null;
let isFollowing = false;

/** Notes an answer that was read before the stream is followed. */
export function noteReadPosition(headers: Headers): void {
  const position = headers.get(HEADER);
  if (isFollowing || position === null || !/^\d{1,20}$/.test(position)) return;
  const read = BigInt(position);
  if (oldest === null || read < oldest) oldest = read;
}

/**
 * The stream loads after the screen, so what it shows was read before. From here on the stream tells everything.
 * @returns from where it has to tell: the position of the oldest answer; null: nothing was read
 */
export function beginFollowing(): bigint | null {
  const from = oldest;
  oldest = null;
  isFollowing = true;
  return from;
}

/** Answers are read before a stream again: of the person who signs in next. */
export function endFollowing(): void {
  isFollowing = false;
}
