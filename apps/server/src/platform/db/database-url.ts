import pg from 'pg';
import { StartError } from '../process/start-error.ts';

const CONNECT_TIMEOUT_MS = 5000;

/**
 * Connects once, so that a wrong setting is one clear line instead of a stack trace.
 * No message contains the password. Throws StartError.
 * @param variable name of the setting, for the message
 */
export async function requireDatabase(url: string, variable: string): Promise<void> {
  parseUrl(url, variable);
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (error) {
    throw connectionProblem(error, url, variable);
  } finally {
    await client.end().catch(() => {});
  }
}

/** Why a first connection failed, without the password. */
export function connectionProblem(error: unknown, url: string, variable: string): StartError {
  return new StartError(
    `${variable}: ${explain(error as Error & { code?: string }, parseUrl(url, variable))}`,
  );
}

/** @throws StartError when it is not an address of PostgreSQL */
export function parseUrl(url: string, variable: string): URL {
  const example = 'postgres://user:password@host:5432/database';
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || !/^postgres(ql)?:$/.test(parsed.protocol)) {
    throw new StartError(`${variable} is not a PostgreSQL address. It looks like ${example}.`);
  }
  return parsed;
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\]|)$/;

/**
 * Whether nobody between us and the database can read or change what is sent: it is on this machine, or TLS compares
 * its certificate with its name. Other modes of TLS take any certificate, at least of the programs of PostgreSQL.
 */
export function isTransportSafe(url: string, variable: string): boolean {
  const { hostname, searchParams } = parseUrl(url, variable);
  // A folder is that of a socket.
  const host = searchParams.get('host') ?? decodeURIComponent(hostname);
  return host.startsWith('/') || LOOPBACK.test(host) || searchParams.get('sslmode') === 'verify-full';
}

function explain(
  error: Error & { code?: string },
  { hostname, port, username, pathname, password }: URL,
): string {
  const server = `${hostname || 'localhost'}:${port || 5432}`;
  const user = decodeURIComponent(username);
  const database = decodeURIComponent(pathname.slice(1));
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
  }
  if (/timeout expired|Connection terminated due to connection timeout/.test(error.message)) {
    return `${server} does not answer within ${CONNECT_TIMEOUT_MS / 1000} s.`;
  }
  const message = error.message || error.code || 'unknown reason';
  return `cannot connect to ${server}: ${password ? message.replaceAll(decodeURIComponent(password), '***') : message}`;
}
