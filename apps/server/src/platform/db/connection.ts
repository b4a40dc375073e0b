import type { TLSSocket } from 'node:tls';
import pg from 'pg';
import { isMarked, markDatabaseError, reportAtHand, reportConnected } from './outage.ts';

/**
 * The role of the API; that of workers, which may write what follows from the chain besides, and approves nothing; and
 * that of an operator's commands, which take the place of a person where there is none. None is owner or superuser, so
 * row-level security binds all.
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
    keepAlive: true,
    application_name: options.applicationName,
    pipeline: true,
  } as pg.PoolConfig);
  // An idle connection that dies (the server restarted) leaves the pool automatically. Without a listener its error
  // would end the process.
  pool.on('error', () => {});
  // The same for a connection that dies in use: the failing statement reports it to its caller.
  pool.on('connect', (client) => {
    client.on('error', markDatabaseError);
    roles.set(client, options.role ?? WORKER_ROLE);
    certificateEnds.set(pool, certificateEndOf(client));
    reportConnected();
  });
  pool.on('acquire', reportAtHand);
  const connect = pool.connect.bind(pool) as (
    done?: (...result: unknown[]) => void,
  ) => Promise<pg.PoolClient>;
  pool.connect = ((done) =>
    done
      ? connect((error, ...rest) => done(markDatabaseError(error), ...rest))
      : connect().catch((error) => {
          throw markDatabaseError(error);
        })) as typeof connect as typeof pool.connect;
  if (options.hasUnnamedStatements) pool.on('connect', dropStatementNames);
  return pool;
}

/** By pool, as its newest connection saw it: a renewed certificate shows once the next connection is made. */
const certificateEnds = new WeakMap<pg.Pool, Date | null>();

/** When the certificate ends that the server of the last connection showed; null: none without TLS, or before the first. */
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

const CONNECTION_ERRORS = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'ETIMEDOUT',
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
  '53300', // too_many_connections
  '08000',
  '08003',
  '08006',
]);

/** Whether an error means that a connection took too long, as opposed to a refused connection. */
export function isConnectionLate(error: unknown): boolean {
  return error instanceof Error && CONNECTION_LATE.test(error.message);
}

const CONNECTION_LATE =
  /timeout exceeded when trying to connect|Connection terminated due to connection timeout/;

/** Whether an error means that the database is unreachable, as opposed to a refused statement. */
export function isDatabaseGone(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = (error as { code?: string }).code;
  if (code && CONNECTION_ERRORS.has(code)) return true;
  return /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/.test(
    error.message,
  );
}

/** Whether an error means that the database, and no other service, is unreachable. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error && isDatabaseGone(error))) return false;
  const { code } = error as { code?: string };
  // Other services fail with the codes of sockets too.
  return isMarked(error) || !code?.startsWith('E');
}

/** Whether the server cancelled a statement that ran past its timeout. */
export function isStatementTimeout(error: unknown): boolean {
  return error instanceof Error && (error as { code?: string }).code === '57014';
}

/** Whether the database takes no writes: it is a replica, or was set to read only. */
export function isReadOnly(error: unknown): boolean {
  return (error as { code?: string } | null)?.code === '25006';
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
