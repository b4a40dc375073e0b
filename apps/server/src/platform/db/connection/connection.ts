import type { TLSSocket } from 'node:tls';
import pg from 'pg';
import { markDatabaseError, reportAtHand, reportConnected, reportWritable } from './outage.ts';
import { WAITS, watchSilence } from './silence.ts';
import { collectWakes } from './wake-notices.ts';

/**
 * The role of the API; the role of workers, which may also write what follows from the chain, and approves
 * nothing; and the role of an operator's commands, which act for a person where there is none. None is owner
 * or superuser, so row-level security binds all three.
 */
export const APPLICATION_ROLE = 'copydesk_app';
export const WORKER_ROLE = 'copydesk_worker';
export const OPERATOR_ROLE = 'copydesk_operator';
export const APPLICATION_ROLES = [APPLICATION_ROLE, WORKER_ROLE, OPERATOR_ROLE] as const;
export type ApplicationRole = (typeof APPLICATION_ROLES)[number];

export interface PoolOptions {
  url: string;
  maxConnections?: number;
  /** How long a statement waits for a connection. The default is short, because people wait for it. */
  connectionTimeoutMs?: number;
  applicationName: string;
  /** The role of its transactions; that of a worker when omitted. A login of an API cannot take that one. */
  role?: ApplicationRole;
  /** Sends every statement without a name, for poolers that do not know prepared statements by name. */
  hasUnnamedStatements?: boolean;
  /** Of replicas: that they take no writes is expected, and says nothing of the leader. */
  isReplica?: boolean;
}

/** The operating system asks the other side after this long, so that a dead connection ends even between statements. */
const KEEP_ALIVE_MS = 10_000;
/** For connections whose statements set no limit of their own. */
export const SILENCE_MS = 20_000;

/**
 * A client of the database, not connected yet. It gives up a connection that does not open, and one that owes an answer
 * and is silent: see `watchSilence`.
 * @param silenceMs how long that may be; Infinity: the caller watches it
 */
export function createClient(config: pg.ClientConfig, silenceMs = SILENCE_MS): pg.Client {
  const client = new pg.Client({
    ...config,
    connectionTimeoutMillis: Math.min(config.connectionTimeoutMillis || WAITS.connectMs, WAITS.connectMs),
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  });
  // A connection that dies fails its statements, which report it. Without a listener the error would end the process.
  client.on('error', markDatabaseError);
  client.once('connect', () => watchSilence(client, silenceMs));
  return client;
}

/** As the pool makes its clients. */
function PoolClient(config: pg.ClientConfig): pg.Client {
  return createClient(config);
}

/**
 * A pool of connections. They start in the role of the login and without settings: `beginTransaction` gives each
 * transaction both. Queries of one connection are pipelined.
 */
export function createPool(options: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.maxConnections ?? 10,
    connectionTimeoutMillis: options.connectionTimeoutMs ?? 3_000,
    idleTimeoutMillis: 60_000,
    application_name: options.applicationName,
    pipeline: true,
    Client: PoolClient,
  } as unknown as pg.PoolConfig);
  // An idle connection that dies (the server restarted) leaves the pool automatically. Without a listener its error
  // would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    roles.set(client, options.role ?? WORKER_ROLE);
    collectWakes(client);
    madeAt.set(client, performance.now());
    certificateEnds.set(pool, certificateEndOf(client));
    if (!options.isReplica) reportConnected();
  });
  if (!options.isReplica) pool.on('acquire', reportAtHand);
  const connect = pool.connect.bind(pool) as (
    done?: (...result: unknown[]) => void,
  ) => Promise<pg.PoolClient>;
  const connectFit = async (): Promise<pg.PoolClient> => {
    for (;;) {
      const client = await connect().catch((error) => {
        throw markDatabaseError(error);
      });
      if (options.isReplica || !isPastUse(client)) return client;
      client.release(true);
    }
  };
  pool.connect = ((done) =>
    done
      ? connect((error, ...rest) => done(markDatabaseError(error), ...rest))
      : connectFit()) as typeof connect as typeof pool.connect;
  if (options.hasUnnamedStatements) pool.on('connect', dropStatementNames);
  return pool;
}

const madeAt = new WeakMap<pg.ClientBase, number>();
/** Connections whose last transaction found that the database takes no writes. */
const readOnly = new WeakSet<pg.ClientBase>();
/**
 * A read-only connection stays in use for this long: without a leader, requests that only read can still use
 * it.
 */
const READ_ONLY_USE_MS = 500;

/** Records whether a connection takes writes, as a transaction found at its beginning. */
export function recordWrites(client: pg.ClientBase, takesWrites: boolean): void {
  if (takesWrites) {
    readOnly.delete(client);
    reportWritable();
  } else readOnly.add(client);
}

/**
 * Whether a read-only connection is due for replacement. It stays read-only even after another server leads
 * or the setting is gone, because its server keeps the state of the time when it was opened.
 */
const isPastUse = (client: pg.ClientBase): boolean =>
  readOnly.has(client) && performance.now() - (madeAt.get(client) ?? 0) > READ_ONLY_USE_MS;

/** By pool, as its newest connection saw it: a renewed certificate shows once the next connection is made. */
const certificateEnds = new WeakMap<pg.Pool, Date | null>();

/**
 * When the certificate ends that the newest connection's server showed; null: no TLS, or no connection yet.
 */
export const certificateEnd = (pool: pg.Pool): Date | null => certificateEnds.get(pool) ?? null;

/** When the certificate of the server ends; null: the connection is without TLS. @param client that is connected */
function certificateEndOf(client: pg.ClientBase): Date | null {
  const { stream } = (client as unknown as { connection: { stream: Partial<TLSSocket> } }).connection;
  const end = stream.getPeerCertificate?.().valid_to;
  return end ? new Date(end) : null;
}

const roles = new WeakMap<pg.ClientBase, ApplicationRole>();

/** The role of transactions of a connection: that of its pool; of one without a pool, the API's. */
export const roleOf = (client: pg.ClientBase): ApplicationRole => roles.get(client) ?? APPLICATION_ROLE;

/** Every query of the connection goes through here, so that no caller can forget the setting. */
function dropStatementNames(client: pg.PoolClient): void {
  const query = client.query.bind(client) as (query: unknown, ...rest: unknown[]) => unknown;
  client.query = ((first: unknown, ...rest: unknown[]) =>
    query(isNamed(first) ? { ...first, name: undefined } : first, ...rest)) as typeof client.query;
}

const isNamed = (query: unknown): query is pg.QueryConfig =>
  typeof query === 'object' && query !== null && 'name' in query;

/** Whether an error means that a connection took too long, as opposed to a refused connection. */
export function isConnectionLate(error: unknown): boolean {
  return error instanceof Error && CONNECTION_LATE.test(error.message);
}

const CONNECTION_LATE =
  /timeout exceeded when trying to connect|Connection terminated due to connection timeout|^timeout expired/;

/** Whether the server cancelled a statement that ran past its timeout. */
export function isStatementTimeout(error: unknown): boolean {
  return error instanceof Error && (error as { code?: string }).code === '57014';
}

/** Name of the constraint that a statement violated because another row is there, unique or excluding; or null. */
export function violatedUnique(error: unknown): string | null {
  const { code, constraint } = error as { code?: string; constraint?: string };
  return code === '23505' || code === '23P01' ? (constraint ?? '') : null;
}

/** Whether a statement was refused because other rows refer to the row. */
export function violatesForeignKey(error: unknown): boolean {
  const { code } = error as { code?: string };
  return code === '23503' || code === '23001';
}
