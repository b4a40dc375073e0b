import type pg from 'pg';
import { queryAlone } from './statements.ts';

/** The same is said at most this often, in milliseconds: who is woken reads all that is new. */
const EVERY_MS = 100;
/** After a failure. Listeners also look every few seconds without a wake-up. */
const AGAIN_MS = 1_000;

export interface Waker {
  /** Sends these wake-ups, now or within a tenth of a second. */
  wake(wakes: readonly string[]): void;
  /** Sends what still waits. */
  close(): Promise<void>;
}

/**
 * Wakes the listeners of the database after commits, each channel and word at most ten times a second. A wake-up that is
 * lost with its process costs no more than the time until a listener looks without one.
 */
export function createWaker(pool: pg.Pool): Waker {
  const sentAt = new Map<string, number>();
  const waiting = new Set<string>();
  let timer: NodeJS.Timeout | null = null;
  let sending: Promise<void> = Promise.resolve();
  let isClosed = false;

  function schedule(afterMs: number): void {
    if (timer || isClosed) return;
    timer = setTimeout(() => {
      timer = null;
      sending = sending.then(send);
    }, afterMs);
    timer.unref();
  }

  async function send(): Promise<void> {
    const now = performance.now();
    const due = [...waiting].filter((wake) => isClosed || now - (sentAt.get(wake) ?? -EVERY_MS) >= EVERY_MS);
    for (const wake of due) {
      waiting.delete(wake);
      sentAt.set(wake, now);
    }
    try {
      if (due.length > 0) await notify(pool, due);
      if (waiting.size > 0) schedule(EVERY_MS);
    } catch {
      for (const wake of due) waiting.add(wake);
      schedule(AGAIN_MS);
    }
  }

  return {
    wake(wakes) {
      if (wakes.length === 0) return;
      for (const wake of wakes) waiting.add(wake);
      const isDue = wakes.some((wake) => performance.now() - (sentAt.get(wake) ?? -EVERY_MS) >= EVERY_MS);
      schedule(isDue ? 0 : EVERY_MS);
    },
    async close() {
      if (timer) clearTimeout(timer);
      isClosed = true;
      await sending;
      await send();
    },
  };
}

/** No machine but the leader's needs to have a wake-up: its commit waits for none, and holds the lock of NOTIFY briefly. */
const NOTIFY = `SELECT pg_notify(split_part(w, ' ', 1), substr(w, strpos(w, ' ') + 1)),
  set_config('synchronous_commit', 'off', true) FROM unnest($1::text[]) w`;

async function notify(pool: pg.Pool, wakes: readonly string[]): Promise<void> {
  const client = await pool.connect();
  await queryAlone(client, NOTIFY, [[...wakes]]).finally(() => client.release());
}
