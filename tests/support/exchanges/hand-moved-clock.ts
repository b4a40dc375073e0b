import type { Clock } from '../../../apps/server/src/integrations/exchanges/limits/clock.ts';

interface Alarm {
  at: number;
  call: () => void;
}

/** A clock for tests that stands still until it is moved. */
export function createHandMovedClock(startsAt = 1_800_000_000_000) {
  let nowMs = startsAt;
  let alarms: Alarm[] = [];
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  const clock: Clock = {
    now: () => nowMs,
    after(ms, call) {
      const alarm = { at: nowMs + Math.max(0, ms), call };
      alarms.push(alarm);
      return () => {
        alarms = alarms.filter((other) => other !== alarm);
      };
    },
  };
  return {
    ...clock,
    /** Lets time pass and rings each alarm at its own time, finishing its consequences before the next. */
    async move(ms: number): Promise<void> {
      const until = nowMs + ms;
      await settle();
      for (;;) {
        const next = alarms.toSorted((a, b) => a.at - b.at)[0];
        if (!next || next.at > until) break;
        alarms = alarms.filter((alarm) => alarm !== next);
        nowMs = Math.max(nowMs, next.at);
        next.call();
        await settle();
      }
      nowMs = until;
    },
    waiting: () => alarms.length,
  };
}
