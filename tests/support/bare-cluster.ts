import { type ChildProcess, type ExecFileSyncOptions, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { findServerUser } from '../../apps/server/src/launcher/server-user.ts';
import { findFreePort } from '../../apps/server/src/platform/process/free-port.ts';
import { COMPOSE } from './compose-file.ts';
import { until } from './until.ts';

/** Folder of the newest PostgreSQL that is installed on this machine with its client programs; null: there is none. */
export const SYSTEM_POSTGRES: string | null =
  globSync([
    '/usr/lib/postgresql/*/bin/pg_dump',
    '/usr/local/pgsql/bin/pg_dump',
    '/opt/homebrew/opt/postgresql*/bin/pg_dump',
  ])
    .map((path) => dirname(path))
    .filter((folder) => existsSync(join(folder, 'initdb')))
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    .at(-1) ?? null;

export interface BareCluster {
  /** Of the superuser, connected to `postgres`. */
  adminUrl: string;
  /** Of the superuser. */
  password: string;
  dataFolder: string;
  urlOf(login: string, password: string, database: string): string;
  asAdmin(...statements: string[]): Promise<void>;
  stop(): Promise<void>;
}

/**
 * An empty cluster of the machine's own PostgreSQL, as an operator has one.
 * @param options.hasTls with the certificate and the rules of deploy/container: it takes no connection without TLS
 * @param options.locale of its databases; that of Debian is C.UTF-8 or a language's
 * @param options.settings further ones, as in `listen_addresses=::1`; the last of a name counts
 * @param options.restored a data folder that is started instead of a new one: it becomes this cluster's, and goes with it
 */
export async function startBareCluster(
  binDir: string,
  {
    hasTls = false,
    settings = [],
    restored,
    locale = 'C',
  }: {
    hasTls?: boolean;
    settings?: readonly string[];
    restored?: { folder: string; password: string };
    locale?: string;
  } = {},
): Promise<BareCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'copydesk-cluster-'));
  const user = findServerUser(folder);
  if (user) chownSync(folder, user.uid, user.gid);
  const password = restored?.password ?? randomBytes(12).toString('hex');
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, password);
  if (user) chownSync(passwordFile, user.uid, user.gid);
  const data = join(folder, 'data');
  const place = { cwd: folder, env: {}, ...user, stdio: 'ignore' as const };
  if (restored) {
    cpSync(restored.folder, data, { recursive: true });
    if (user) execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, data]);
    chmodSync(data, 0o700);
    rmSync(join(data, 'postmaster.pid'), { force: true });
  } else initialise(binDir, data, { passwordFile, locale }, place);
  const port = await findFreePort();
  const tls = hasTls ? makeTls(folder, user?.uid) : null;
  const server: ChildProcess = spawn(
    join(binDir, 'postgres'),
    [
      '-D',
      data,
      '-p',
      String(port),
      '-c',
      'listen_addresses=127.0.0.1',
      '-c',
      'unix_socket_directories=',
      '-c',
      'fsync=off',
      ...(tls?.settings ?? []),
      ...settings.flatMap((setting) => ['-c', setting]),
    ],
    place,
  );
  const ended = new Promise((resolve) => server.on('close', resolve));
  const urlOf = (login: string, secret: string, database: string) =>
    `postgres://${login}:${secret}@${tls ? TLS_HOST : '127.0.0.1'}:${port}/${database}${tls?.query ?? ''}`;
  const adminUrl = urlOf('postgres', password, 'postgres');
  const asAdmin = async (...statements: string[]) => {
    const client = new pg.Client({ connectionString: adminUrl });
    await client.connect();
    try {
      for (const statement of statements) await client.query(statement);
    } finally {
      await client.end();
    }
  };
  const answers = () =>
    asAdmin('SELECT 1').then(
      () => true,
      () => false,
    );
  await until(answers);
  return {
    adminUrl,
    password,
    dataFolder: data,
    urlOf,
    asAdmin,
    async stop() {
      server.kill('SIGQUIT');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function initialise(
  binDir: string,
  data: string,
  { passwordFile, locale }: { passwordFile: string; locale: string },
  place: ExecFileSyncOptions,
): void {
  const words = `-D ${data} -U postgres -A scram-sha-256 --pwfile=${passwordFile} -E UTF8 --locale=${locale} --no-sync`;
  execFileSync(join(binDir, 'initdb'), words.split(' '), place);
}

const TLS_HOST = 'localhost';
const container = (path: string) => fileURLToPath(new URL(`../../deploy/container/${path}`, import.meta.url));

/** What deploy/container gives PostgreSQL, for a server of this machine. */
function makeTls(folder: string, reader: number | undefined) {
  const files = join(folder, 'tls');
  execFileSync(container('make-certificates.sh'), [files, TLS_HOST, String(reader ?? process.getuid?.())]);
  const copied = join(folder, 'pg_hba.conf');
  // Users of tests cannot reach the repository everywhere.
  copyFileSync(container('pg_hba.conf'), copied);
  chmodSync(copied, 0o644);
  const place: Record<string, string> = {
    '/etc/postgresql/pg_hba.conf': copied,
    '/run/secrets/database-certificate': join(files, 'database.crt'),
    '/run/secrets/database-key': join(files, 'database.key'),
  };
  const settings = serverSettings().map((word) => word.replace(/\/.+$/, (path) => place[path] ?? path));
  return { settings, query: `?sslmode=verify-full&sslrootcert=${join(files, 'ca.crt')}` };
}

/** The settings of the database in compose.yaml, as arguments. */
function serverSettings(): string[] {
  const { command } = COMPOSE.services.database;
  return command.slice(1);
}
