import { useRef } from 'react';
import { ApiError } from './api-error.ts';

/**
 * The server has answered, and the same key would get the same answer; false while it is still at work, and for a
 * success whose answer cannot be read.
 */
const isAnswered = (error: unknown) =>
  error instanceof ApiError &&
  error.status >= 200 &&
  !(error.status < 300 && error.isWordless) &&
  error.status < 500 &&
  error.code !== 'idempotency_in_flight';

/** The key of an action: a failed request is repeated under the same key, so it takes effect once. */
export function useOnceKey() {
  const sent = useRef({ what: '', key: '' });
  return {
    /** @param what the whole request; any other content is a new action */
    keyOf(what: unknown): string {
      const text = JSON.stringify(what);
      if (sent.current.what !== text) sent.current = { what: text, key: crypto.randomUUID() };
      return sent.current.key;
    },
    /** Call it when the same request may take effect again. */
    done(): void {
      sent.current = { what: '', key: '' };
    },
    /** Call it after every failure: a refused action may be tried again. */
    failed(error: unknown): void {
      if (isAnswered(error)) sent.current = { what: '', key: '' };
    },
  };
}
