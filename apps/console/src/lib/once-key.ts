import { useRef } from 'react';
import { ApiError } from './api-error.ts';

/** The server has answered, and with the same key would answer the same again; not that it is still at work. */
const isAnswered = (error: unknown) =>
  error instanceof ApiError &&
  error.status >= 400 &&
  error.status < 500 &&
  error.code !== 'idempotency_in_flight';

/** The key of an act: what failed on the way is sent again under the same key, so that it is done once. */
export function useOnceKey() {
  const sent = useRef({ what: '', key: '' });
  return {
    /** @param what all that is sent; anything else is another act */
    keyOf(what: unknown): string {
      const text = JSON.stringify(what);
      if (sent.current.what !== text) sent.current = { what: text, key: crypto.randomUUID() };
      return sent.current.key;
    },
    /** To be told where the same may be done once more. */
    done(): void {
      sent.current = { what: '', key: '' };
    },
    /** To be told of every failure: what was refused may be tried anew. */
    failed(error: unknown): void {
      if (isAnswered(error)) sent.current = { what: '', key: '' };
    },
  };
}
