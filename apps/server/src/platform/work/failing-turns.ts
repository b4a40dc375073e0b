import { isDatabaseGone } from '../db/connection/outage.ts';
import type { Logger } from '../observe/log.ts';

/** A turn that goes on failing for the same reason is logged this often. */
const REPEAT_MS = 60_000;

interface Failing {
  reason: string;
  since: number;
  turns: number;
  loggedAt: number;
}

/**
 * Logs the failures of a loop in few lines: each new reason in full, a count every minute while it stays, and the end. A
 * loop takes a turn every few seconds, and what it needs may be away for hours.
 */
export function logFailingTurns(log: Pick<Logger, 'warn'>, now: () => number = () => performance.now()) {
  let failing: Failing | null = null;
  const soFar = ({ turns, since }: Failing) => ({
    failures: turns,
    seconds: Math.round((now() - since) / 1_000),
  });
  return {
    failed(error: unknown): void {
      // The log itself gathers the lines of all loops about a database that is away.
      if (isDatabaseGone(error)) {
        failing = null;
        log.warn({ err: error }, 'a turn of work failed');
        return;
      }
      const reason = reasonOf(error);
      if (failing?.reason !== reason) {
        failing = { reason, since: now(), turns: 1, loggedAt: now() };
        log.warn({ err: error }, 'a turn of work failed');
        return;
      }
      failing.turns += 1;
      if (now() - failing.loggedAt < REPEAT_MS) return;
      failing.loggedAt = now();
      log.warn({ reason, ...soFar(failing) }, 'turns of work still fail');
    },
    succeeded(): void {
      if (failing !== null && failing.turns > 1) log.warn(soFar(failing), 'turns of work succeed again');
      failing = null;
    },
  };
}

/**
 * Clients of the chain add the number of the request to their message; `shortMessage` lacks it and stays the
 * same.
 */
function reasonOf(error: unknown): string {
  const { shortMessage, message } = error as { shortMessage?: string; message?: string };
  return shortMessage ?? message ?? String(error);
}
