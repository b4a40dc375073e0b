import { isDatabaseGone } from '../db/connection/outage.ts';
import type { Logger } from '../observe/log.ts';
import { startWorkLoop, type WorkLoop } from './work-loop.ts';

/** Rows that were just taken, and when to look again. */
interface Taken<Row> {
  rows: readonly Row[];
  /** Whether more may be due at once. By default: whether some were taken. */
  goesOn?: boolean;
  /** When the clock lets more begin; 0: nothing waits for the clock. */
  waitMs?: number;
}

/** Slow renewals that overlap would take every connection of the worker. */
function oneAtOnce(work: () => Promise<unknown>): () => void {
  let isUnderWay = false;
  return () => {
    if (isUnderWay) return;
    isUnderWay = true;
    void work().finally(() => {
      isUnderWay = false;
    });
  };
}

/**
 * Works on due rows as soon as they are due, beside the loops of other workers. A row whose work throws is
 * due again when its lease ends.
 * @param claim takes the rows that may begin now. @param underWay how many are being worked on
 * @param keep renews the lease of a row that may take longer, several times within its duration
 * @param describe how the log names a row
 */
export function startDueLoop<Row>({
  name,
  everyMs,
  log,
  claim,
  work,
  keep,
  describe,
}: {
  name: string;
  everyMs: number;
  log: Logger;
  claim: (underWay: number) => Promise<Taken<Row>>;
  work: (row: Row) => Promise<void>;
  keep?: { everyMs: number; renew: (row: Row) => Promise<unknown> };
  describe: (row: Row) => Record<string, unknown>;
}): WorkLoop {
  const underWay = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | undefined;

  function begin(row: Row): void {
    const renew = async () =>
      keep
        ?.renew(row)
        .catch((error) => log.warn({ err: error, ...describe(row) }, 'renewing a lease failed'));
    const renewing = keep && setInterval(oneAtOnce(renew), keep.everyMs);
    const working: Promise<void> = work(row)
      .catch((error) =>
        log[isDatabaseGone(error) ? 'warn' : 'error'](
          { err: error, ...describe(row) },
          `a turn of ${name} failed`,
        ),
      )
      .finally(() => {
        clearInterval(renewing);
        underWay.delete(working);
        loop.wake();
      });
    underWay.add(working);
  }

  async function turn(): Promise<boolean> {
    clearTimeout(timer);
    const { rows, goesOn = rows.length > 0, waitMs = 0 } = await claim(underWay.size);
    if (waitMs > 0) timer = setTimeout(() => loop.wake(), waitMs);
    for (const row of rows) begin(row);
    return goesOn;
  }

  const loop = startWorkLoop({ name, everyMs, turn, log });
  return {
    wake: loop.wake,
    async stop() {
      await loop.stop();
      clearTimeout(timer);
      await Promise.all(underWay);
    },
  };
}
