/** The clock of the limits, so that tests can move it by hand. */
export interface Clock {
  /** ms since the epoch */
  now(): number;
  /** Calls back once after this many ms; returns a function that cancels it. */
  after(ms: number, call: () => void): () => void;
}

/**
 * The real time.
 * @param options.keepsProcess a program that only reads stays alive while a request waits for its turn; in a server,
 * timers keep no process alive
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
