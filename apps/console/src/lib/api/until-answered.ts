import { ApiError } from './api-error.ts';

const ASK_AGAIN_MS = 2_000;
/** Longer than any order takes; by then the server or the connection has a problem. */
const GIVE_UP_MS = 180_000;

/** The server has not answered yet and may still be at work: the result is unknown. */
const isUnderWay = (error: unknown) =>
  error instanceof ApiError && (error.code === 'timeout' || error.code === 'idempotency_in_flight');

/** The time limit passed before an answer came. The request may or may not have taken effect. */
function noAnswerYet(): ApiError {
  return new ApiError({
    code: 'no_answer_yet',
    status: 0,
    message:
      'The server is still working on it, or cannot be reached. It may have been ordered: look at the latest distributions before you try again. Trying again here does not order it twice.',
  });
}

interface Patience {
  /** Called once the first answer is late. */
  onLate(): void;
  now?: () => number;
  sleep?: (ms: number) => Promise<void>;
}

/**
 * Sends a call that may outlast the time limit of a request, and repeats it until its result is known. Every attempt
 * carries the same idempotency key: while the first is at work the others get a conflict, then its answer.
 * @throws ApiError the server's refusal, or `no_answer_yet`
 */
export async function untilAnswered<T>(
  send: () => Promise<T>,
  { onLate, now = Date.now, sleep = (ms) => new Promise((done) => setTimeout(done, ms)) }: Patience,
): Promise<T> {
  const since = now();
  for (;;) {
    try {
      return await send();
    } catch (error) {
      if (!isUnderWay(error)) throw error;
      if (now() - since > GIVE_UP_MS) throw noAnswerYet();
      onLate();
      await sleep(ASK_AGAIN_MS);
    }
  }
}
