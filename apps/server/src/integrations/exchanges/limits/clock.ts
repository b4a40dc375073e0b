/** Time as the limits see it, so that tests can move it by hand. */
export interface Clock {
  /** ms since the epoch */
  now(): number;
  /** Calls back once after so many ms; answers how to call it off. */
  after(ms: number, call: () => void): () => void;
}

/**
 * The real time.
 * @param options.keepsProcess a program that does nothing but read stays alive while a request waits for its turn; in
 *   a server, timers keep no process alive
 */
export function createSystemClock(now: () => number = Date.now, { keepsProcess = false } = {}): Clock {
  return {
    now,
    after(ms, call) {
      const timer = setTimeout(call, ms);
      if (!keepsProcess) timer.unref();
      return () => clearTimeout(timer);
    },
  };
}
