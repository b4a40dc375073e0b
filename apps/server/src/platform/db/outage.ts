/** While the database is away, the log says so this often. */
const REPEAT_MS = 60_000;
/** A connection at hand may be a dead one. So long after the last failure it is not. */
const PROOF_MS = 5_000;

/** Writes one line of the log. */
export type WriteLine = (level: 'error' | 'warn', fields: object, text: string) => void;

/**
 * Turns the failures of an outage into a few lines: the first failure, a count every minute, and the end. Every loop of a
 * process fails several times a second meanwhile.
 */
export function createOutage(now: () => number = () => performance.now()) {
  let since: number | null = null;
  let failures = 0;
  let saidAt = Number.NEGATIVE_INFINITY;
  let failedAt = 0;
  /** Of the line that began it; null: it came too soon after the last one to be told. */
  let write: WriteLine | null = null;
  const seconds = () => Math.round((now() - (since ?? now())) / 1_000);

  const end = () => {
    if (since === null) return;
    write?.('warn', { failures, seconds: seconds() }, 'connections to the database work again');
    since = null;
    write = null;
    failures = 0;
  };
  return {
    /** @param during what failed, as its own line would have said */
    failed(writeLine: WriteLine, err: unknown, during: string): void {
      since ??= now();
      failures += 1;
      failedAt = now();
      if (now() - saidAt < REPEAT_MS) return;
      saidAt = now();
      // It may only be busy for a moment.
      if (write === null) writeLine('warn', { err, during }, 'no connection to the database');
      else writeLine('error', { failures, seconds: seconds() }, 'still no connection to the database');
      write = writeLine;
    },
    /** A new connection was made. */
    connected: end,
    /** A connection was at hand. */
    atHand(): void {
      if (since !== null && now() - failedAt > PROOF_MS) end();
    },
  };
}

type Outage = ReturnType<typeof createOutage>;

/** Those of the logs of this process, which has one database. */
const outages = new Set<Outage>();

/** For a log: learns of connections from now on. */
export function watchOutage(): Outage {
  const outage = createOutage();
  outages.add(outage);
  return outage;
}

/** A new connection was made. */
export function reportConnected(): void {
  for (const outage of outages) outage.connected();
}

/** A connection was at hand. */
export function reportAtHand(): void {
  for (const outage of outages) outage.atHand();
}

/** Marks errors of connections to the database; a copy of the error is marked as well. */
const OF_DATABASE = Symbol('of a connection to the database');

/** Marks an error as one of a connection to the database: sockets of other services fail with the same codes. */
export function markDatabaseError<T>(error: T): T {
  if (error instanceof Error) Object.assign(error, { [OF_DATABASE]: true });
  return error;
}

/** Whether an error was marked. */
export const isMarked = (error: Error): boolean => OF_DATABASE in error;
