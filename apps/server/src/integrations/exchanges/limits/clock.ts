/** Time as the limits see it, so that tests can move it by hand. */
export interface Clock {
  /** ms since the epoch */
  now(): number;
  /** Calls back once after so many ms; answers how to call it off. */
  after(ms: number, call: () => void): () => void;
}

/** The real time. Its timers keep no process alive. */
export function createSystemClock(now: () => number = Date.now): Clock {
  return {
    now,
    after(ms, call) {
      const timer = setTimeout(call, ms);
      timer.unref();
      return () => clearTimeout(timer);
    },
  };
}
