/** While the database is away, the log says so this often. */
const REPEAT_MS = 60_000;
/** An idle connection of the pool may be dead. One that is used this long after the last failure is not. */
const PROOF_MS = 5_000;

/**
 * SQLSTATE classes of a server that serves no statement: connection exceptions, a lack of resources, a shutdown. A limit
 * that one statement passed (53400) is that statement's own.
 */
const OUTAGE_CLASSES = /^(08|53(?!4)|57P)/;

/** What the driver says of a connection that it lost, could not open in time, or had to wait for too long. */
const LOST_CONNECTION =
  /Connection terminated|timeout exceeded when trying to connect|^timeout expired|Client has encountered a connection error|Client was closed and is not queryable|Cannot use a pool after calling end/;

/**
 * Whether an error means that the database is away: it cannot be reached, takes no statements, or takes no
 * writes because it has no leader. The outcome of the interrupted work is unknown; it must be repeated.
 * Errors of names and addresses have the same codes for other services, so only marked errors count there.
 */
export function isDatabaseGone(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code = '' } = error as { code?: string };
  if (OUTAGE_CLASSES.test(code) || isReadOnly(error) || LOST_CONNECTION.test(error.message)) return true;
  return isMarked(error) && isOfSystem(code);
}

/** Whether an error is that of any service that cannot be reached. */
export const isUnreachable = (error: unknown): boolean =>
  isDatabaseGone(error) || (error instanceof Error && isOfSystem((error as { code?: string }).code ?? ''));

/** Whether a code is one of the operating system's, of `getaddrinfo` or `connect`, and not one of Node's own. */
const isOfSystem = (code: string) => code.startsWith('E') && !code.startsWith('ERR_');

/** Whether the database takes no writes: it is a replica, or was set to read only. */
export function isReadOnly(error: unknown): boolean {
  return (error as { code?: string } | null)?.code === '25006';
}

/** Writes one line of the log. */
export type WriteLine = (level: 'error' | 'warn', fields: object, text: string) => void;

/** The lines of an outage. */
interface OutageTexts {
  began: string;
  lasts: string;
  ended: string;
}

const NO_CONNECTION: OutageTexts = {
  began: 'no connection to the database',
  lasts: 'still no connection to the database',
  ended: 'connections to the database work again',
};
const NO_WRITES: OutageTexts = {
  began: 'the database takes no writes',
  lasts: 'the database still takes no writes',
  ended: 'the database takes writes again',
};

/**
 * Turns the failures of an outage into a few lines: the first failure, a count every minute, and the end. Every loop of a
 * process fails several times a second meanwhile.
 */
export function createOutage(
  now: () => number = () => performance.now(),
  texts: OutageTexts = NO_CONNECTION,
) {
  let since: number | null = null;
  let failures = 0;
  let saidAt = Number.NEGATIVE_INFINITY;
  let failedAt = 0;
  /** Writes the line that began the outage; null: it began too soon after the last one for another line. */
  let write: WriteLine | null = null;
  const seconds = () => Math.round((now() - (since ?? now())) / 1_000);

  const end = () => {
    if (since === null) return;
    write?.('warn', { failures, seconds: seconds() }, texts.ended);
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
      // A warning at first: the database may only be busy for a moment.
      if (write === null) writeLine('warn', { err, during }, texts.began);
      else writeLine('error', { failures, seconds: seconds() }, texts.lasts);
      write = writeLine;
    },
    /** A new connection was made. */
    connected: end,
    /** The pool had an idle connection. */
    atHand(): void {
      if (since !== null && now() - failedAt > PROOF_MS) end();
    },
  };
}

type Outage = ReturnType<typeof createOutage>;

/** The outages of the logs of this process, which has one database: no connection, and no writes. */
const outages = new Set<{ gone: Outage; readOnly: Outage }>();

/** For a log: learns of connections from now on. @returns the outage that an error belongs to; null: to none */
export function watchOutages(): (error: unknown) => Outage | null {
  const gone = createOutage();
  const readOnly = createOutage(undefined, NO_WRITES);
  outages.add({ gone, readOnly });
  return (error) => (isReadOnly(error) ? readOnly : isDatabaseGone(error) ? gone : null);
}

/** A new connection was made. */
export function reportConnected(): void {
  for (const { gone } of outages) gone.connected();
}

/** The pool had an idle connection. */
export function reportAtHand(): void {
  for (const { gone } of outages) gone.atHand();
}

/** A transaction began that may write. */
export function reportWritable(): void {
  for (const { readOnly } of outages) readOnly.connected();
}

/** Marks errors of connections to the database; a copy of the error is marked as well. */
const OF_DATABASE = Symbol('of a connection to the database');

/** Marks an error as one of a connection to the database: sockets of other services fail with the same codes. */
export function markDatabaseError<T>(error: T): T {
  if (error instanceof Error) Object.assign(error, { [OF_DATABASE]: true });
  return error;
}

const isMarked = (error: Error): boolean => OF_DATABASE in error;
