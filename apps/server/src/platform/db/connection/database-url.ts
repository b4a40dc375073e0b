import type pg from 'pg';
import { describeFileProblem, StartError } from '../../process/start-error.ts';
import { createClient, isConnectionLate, isStatementTimeout } from './connection.ts';
import { isDatabaseGone, markDatabaseError } from './outage.ts';

const CONNECT_TIMEOUT_MS = 5000;

/**
 * What a connection string means, to node-pg and to the programs of PostgreSQL alike. It is read from a
 * client of node-pg, so only one parser decides.
 */
export interface DatabaseAddress {
  /** Without brackets; the folder of a socket begins with a slash. */
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
  /**
   * `none`: without TLS. `unverified`: any certificate. `authority`: one of a trusted authority. `full`: for this host as
   * well.
   */
  tls: 'none' | 'unverified' | 'authority' | 'full';
  /** Files of the address; without `authority` Node's own authorities count, with those of NODE_EXTRA_CA_CERTS. */
  files: { authority: string | null; certificate: string | null; key: string | null };
  /** Both pass these on unchanged. */
  options: string | null;
  negotiation: string | null;
}

/** Modes whose meaning node-pg knows. It takes `prefer`, `require` and `verify-ca` as `verify-full`. */
const MODES = new Set(['disable', 'no-verify', 'prefer', 'require', 'verify-ca', 'verify-full']);
const STRICT_TO_NODE = new Set(['prefer', 'require', 'verify-ca']);

/**
 * A connection string as every program of ours reads it: a percent sign in a password is encoded, and the TLS
 * mode has the name of what node-pg really does.
 * @param variable name of the setting, for the message
 * @throws StartError, without the password, when it is invalid or ambiguous
 */
export function canonicalUrl(url: string, variable: string): string {
  // A percent sign that begins no escape is literal, as in the password 50%off.
  const parsed = parseUrl(url.replace(/%(?![0-9a-f]{2})/gi, '%25'), variable);
  for (const text of [parsed.username, parsed.password, parsed.hostname, parsed.pathname])
    if (!isDecodable(text))
      throw new StartError(
        `${variable}: a percent sign in it begins no character. Write a percent sign of a password as %25.`,
      );
  const mode = parsed.searchParams.get('sslmode');
  if (mode !== null && !MODES.has(mode))
    throw new StartError(
      `${variable}: sslmode=${mode} is not known. Take verify-full, with sslrootcert=<file> for an authority of your own.`,
    );
  if (mode !== null && STRICT_TO_NODE.has(mode) && !parsed.searchParams.has('uselibpqcompat'))
    parsed.searchParams.set('sslmode', 'verify-full');
  // libpq's word for the authorities that programs trust anyway.
  if (parsed.searchParams.get('sslrootcert') === 'system') parsed.searchParams.delete('sslrootcert');
  return parsed.href;
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** @throws StartError as `canonicalUrl`, and when a file of it cannot be read */
export function readAddress(url: string, variable: string): DatabaseAddress {
  const canonical = canonicalUrl(url, variable);
  const { searchParams } = new URL(canonical);
  const client = clientOf(canonical, variable);
  const named = (name: string) => searchParams.get(name);
  return {
    host: client.host,
    port: client.port,
    user: client.user ?? '',
    password: client.password ?? '',
    database: client.database ?? '',
    tls: strengthOf(client.ssl as TlsOptions),
    files: { authority: named('sslrootcert'), certificate: named('sslcert'), key: named('sslkey') },
    options: named('options'),
    negotiation: named('sslnegotiation'),
  };
}

type TlsOptions = boolean | { rejectUnauthorized?: boolean; checkServerIdentity?: unknown };

function strengthOf(tls: TlsOptions): DatabaseAddress['tls'] {
  if (!tls) return 'none';
  if (tls === true) return 'full';
  if (tls.rejectUnauthorized === false) return 'unverified';
  return tls.checkServerIdentity ? 'authority' : 'full';
}

/** A client that is not connected. Its files are read here. @throws StartError */
function clientOf(
  url: string,
  variable: string,
  options: pg.ClientConfig = {},
  silenceMs?: number,
): pg.Client {
  try {
    return createClient({ ...options, connectionString: url }, silenceMs);
  } catch (error) {
    throw connectionProblem(error, url, variable);
  }
}

/**
 * What every session of a command needs, whatever `ALTER ROLE ... SET` or the server say: names of ours are in `public`,
 * row-level security filters instead of failing, and no work is cut off because it takes long.
 */
const SESSION_SETTINGS = {
  role: 'none',
  search_path: 'public',
  row_security: 'on',
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  idle_session_timeout: '0',
  transaction_timeout: '0',
  default_transaction_isolation: 'read committed',
  default_transaction_deferrable: 'off',
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'postgres',
  TimeZone: 'UTC',
  bytea_output: 'hex',
  client_min_messages: 'notice',
};

/**
 * Connects for a command: one session with settings of ours. Its owner ends it.
 * @param silenceMs how long a statement may say nothing; by default as long as it takes, since commands copy and check
 * whole databases
 * @throws StartError why it does not connect
 */
export async function connectForCommand(
  url: string,
  variable: string,
  options: pg.ClientConfig,
  silenceMs = Number.POSITIVE_INFINITY,
): Promise<pg.Client> {
  const client = await openSession(url, variable, options, silenceMs);
  try {
    await pinSession(client);
    return client;
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
}

/** Connects, and leaves the session as the server and its roles make it. @throws StartError why it does not connect */
export async function openSession(
  url: string,
  variable: string,
  options: pg.ClientConfig,
  silenceMs?: number,
): Promise<pg.Client> {
  const canonical = canonicalUrl(url, variable);
  const client = clientOf(canonical, variable, options, silenceMs);
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end().catch(() => {});
    throw connectionProblem(error, canonical, variable);
  }
}

/** Gives a session the settings of `connectForCommand`. Those that this server does not know are left out. */
async function pinSession(client: pg.ClientBase): Promise<void> {
  // Alone and first: a short timeout of the role could end a statement that does more.
  await client.query('SET statement_timeout = 0');
  await client.query(
    `SELECT set_config(w.name, w.value, false) FROM json_each_text($1::json) AS w(name, value)
     WHERE current_setting(w.name, true) IS NOT NULL`,
    [JSON.stringify(SESSION_SETTINGS)],
  );
}

/**
 * Connects once, so that a wrong setting is one clear line instead of a stack trace.
 * @param variable name of the setting, for the message
 * @throws StartError with the reason, without the password
 */
export async function requireDatabase(url: string, variable: string): Promise<void> {
  const client = await openSession(url, variable, { connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  await client.end().catch(() => {});
}

/** Why a first connection failed, without the password. */
export function connectionProblem(error: unknown, url: string, variable: string): StartError {
  if (error instanceof StartError) return error;
  // These causes may pass: the server is down, starting, full or busy, or the network or DNS fails.
  const mayPass =
    describeFileProblem(error) === null &&
    (isDatabaseGone(markDatabaseError(error)) || isStatementTimeout(error));
  return new StartError(
    `${variable}: ${explain(error as Error & { code?: string }, parseUrl(url, variable))}`,
    { isSetting: !mayPass },
  );
}

/** @throws StartError when it is not an address of PostgreSQL */
export function parseUrl(url: string, variable: string): URL {
  const example = 'postgres://user:password@host:5432/database';
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || !/^postgres(ql)?:$/.test(parsed.protocol)) {
    throw new StartError(
      `${variable} is not a PostgreSQL address. It looks like ${example}, with / ? # @ : % and spaces of a password encoded as %2F %3F %23 %40 %3A %25 %20, and an IPv6 address in brackets, as in [::1].`,
    );
  }
  return parsed;
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\]|::1|)$/;

/**
 * Whether traffic to the database cannot be read or changed on its way: the database is on this machine, or
 * TLS compares its certificate with its name.
 */
export function isTransportSafe(url: string, variable: string): boolean {
  const { host, tls } = readAddress(url, variable);
  // A folder is that of a socket.
  return host.startsWith('/') || LOOPBACK.test(host) || tls === 'full';
}

function explain(
  error: Error & { code?: string },
  { hostname, port, username, pathname, password, searchParams }: URL,
): string {
  const server = `${hostname || searchParams.get('host') || 'localhost'}:${port || searchParams.get('port') || 5432}`;
  const user = decoded(username);
  const database = decoded(pathname.slice(1));
  const ofFile = describeFileProblem(error);
  if (ofFile) return ofFile;
  switch (error.code) {
    case 'ECONNREFUSED':
      return `nothing answers at ${server}. Is PostgreSQL running there?`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `there is no host named ${hostname}.`;
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return `${server} cannot be reached.`;
    case '28P01':
      return `the password for user "${user}" at ${server} is wrong.`;
    case '28000':
      return `${server} does not let user "${user}" in.`;
    case '3D000':
      return `there is no database "${database}" at ${server}.`;
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
      return `the authority of the certificate of ${server} is not trusted here (${error.message}). Name its file: sslrootcert=<file> in the address, or NODE_EXTRA_CA_CERTS.`;
  }
  if (isConnectionLate(error)) return `${server} does not answer.`;
  const message = (error.message || error.code || 'unknown reason').replace(/\s+/g, ' ');
  return `cannot connect to ${server}: ${withoutPassword(message, password)}`;
}

const decoded = (text: string) => (isDecodable(text) ? decodeURIComponent(text) : text);

const withoutPassword = (message: string, password: string) =>
  password ? message.replaceAll(password, '***').replaceAll(decoded(password), '***') : message;
