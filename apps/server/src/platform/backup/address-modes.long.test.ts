import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type BareCluster,
  SYSTEM_POSTGRES,
  startBareCluster,
} from '../../../../../tests/support/bare-cluster.ts';
import { COMPILE_CACHE } from '../../../../../tests/support/compile-cache.ts';
import { openSession, requireDatabase } from '../db/connection/database-url.ts';
import { runProgram } from './programs.ts';

// Whatever an address of the database says, the programs of PostgreSQL connect as node-pg does.
const binDir = SYSTEM_POSTGRES ?? '';
const PASSWORD = '50%off';
const hasIpv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === '::1'),
);

let cluster: BareCluster;
let folder: string;
beforeAll(async () => {
  if (!SYSTEM_POSTGRES) return;
  folder = mkdtempSync(join(tmpdir(), 'copydesk-modes-'));
  chmodSync(folder, 0o755);
  makeClientCertificate();
  writeFileSync(
    join(folder, 'pg_hba.conf'),
    `hostssl all certified all scram-sha-256 clientcert=verify-ca\nhostssl all all all scram-sha-256\n`,
  );
  cluster = await startBareCluster(SYSTEM_POSTGRES, {
    hasTls: true,
    settings: [
      `listen_addresses=127.0.0.1${hasIpv6 ? ',::1' : ''}`,
      `hba_file=${join(folder, 'pg_hba.conf')}`,
      `ssl_ca_file=${join(folder, 'client-ca.crt')}`,
    ],
  });
  await cluster.asAdmin(
    `CREATE ROLE discount LOGIN SUPERUSER PASSWORD '${PASSWORD}'`,
    `CREATE ROLE certified LOGIN SUPERUSER PASSWORD 'certified'`,
  );
});
afterAll(async () => {
  await cluster?.stop();
  if (folder) rmSync(folder, { recursive: true });
});

function makeClientCertificate(): void {
  const openssl = (...words: string[]) => execFileSync('openssl', words, { cwd: folder, stdio: 'ignore' });
  const authority = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=clients'];
  openssl('req', ...authority, '-keyout', 'client-ca.key', '-out', 'client-ca.crt');
  const asked = ['-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=certified'];
  openssl('req', ...asked, '-keyout', 'client.key', '-out', 'client.csr');
  const signed = ['-CA', 'client-ca.crt', '-CAkey', 'client-ca.key', '-CAcreateserial', '-days', '1'];
  openssl('x509', '-req', '-in', 'client.csr', ...signed, '-out', 'client.crt');
  chmodSync(join(folder, 'client.key'), 0o600);
}

/** The address of the cluster with another login, host or words. */
function addressWith(login: string, { host = 'localhost', query = '' } = {}): string {
  const { port, search } = new URL(cluster.adminUrl);
  return `postgres://${login}@${host}:${port}/postgres${query || search}`;
}

const authority = () => new URL(cluster.adminUrl).searchParams.get('sslrootcert') ?? '';

/** Connects with node-pg, dumps and restores. @returns what TLS node-pg has */
async function reach(url: string): Promise<boolean> {
  await requireDatabase(url, 'DATABASE_URL');
  const client = await openSession(url, 'DATABASE_URL', {});
  const { rows } = await client
    .query<{ ssl: boolean }>('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()')
    .finally(() => client.end());
  const file = join(folder, 'dump');
  rmSync(file, { force: true });
  await runProgram('pg_dump', ['--schema-only', '--format=custom', '--file', file], { binDir, url });
  await runProgram('pg_restore', ['--dbname=postgres', '--jobs=2', file], { binDir, url });
  return rows[0]?.ssl ?? false;
}

const withTls = test.runIf(SYSTEM_POSTGRES);

withTls.each([
  ['a percent sign as it is', `discount:${PASSWORD}`],
  ['an encoded percent sign', `discount:${encodeURIComponent(PASSWORD)}`],
])('all connect with %s in the password', async (_, login) => {
  expect(await reach(addressWith(login))).toBe(true);
});

withTls('all connect with a certificate of their own, and are refused without', async () => {
  const bare = addressWith('certified:certified');
  await expect(reach(bare)).rejects.toThrow(/does not let user "certified" in/);
  const files = `&sslcert=${join(folder, 'client.crt')}&sslkey=${join(folder, 'client.key')}`;
  expect(await reach(`${bare}${files}`)).toBe(true);
});

withTls('all connect with sslmode=no-verify, which libpq has no word for', async () => {
  // The certificate is for localhost, and its authority is not named.
  expect(
    await reach(addressWith(`discount:${PASSWORD}`, { host: '127.0.0.1', query: '?sslmode=no-verify' })),
  ).toBe(true);
});

test.runIf(SYSTEM_POSTGRES && hasIpv6)('all connect to an IPv6 address', async () => {
  expect(
    await reach(addressWith(`discount:${PASSWORD}`, { host: '[::1]', query: '?sslmode=no-verify' })),
  ).toBe(true);
});

withTls('an authority that nothing trusts is one line that says where to name it', async () => {
  const url = addressWith(`discount:${PASSWORD}`, { query: '?sslmode=verify-full' });
  await expect(requireDatabase(url, 'DATABASE_URL')).rejects.toThrow(
    /^DATABASE_URL: the authority of the certificate of localhost:\d+ is not trusted here .* sslrootcert=<file>/,
  );
  await expect(
    runProgram('pg_dump', ['--schema-only'], { binDir, url }),
    'pg_dump asks for the same proof',
  ).rejects.toThrow('certificate verify failed');
});

function run(program: string, args: string[], env: Record<string, string>) {
  const script = fileURLToPath(new URL(`../../bin/${program}.ts`, import.meta.url));
  const child = spawn(process.execPath, [script, ...args], { env: { ...COMPILE_CACHE, ...env } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  return new Promise<{ code: number | null; output: string }>((resolve) => {
    child.once('close', (code) => resolve({ code, output }));
  });
}

withTls(
  'create-database, migrate, backup and restore go the same way, by the authorities of NODE_EXTRA_CA_CERTS',
  async () => {
    // It notes what every user of the machine could see, and begins as the program does.
    const programs = join(folder, 'programs');
    const seen = join(folder, 'seen');
    const temporary = join(folder, 'temporary');
    execFileSync('mkdir', [programs, temporary]);
    for (const name of ['pg_dump', 'pg_restore'])
      writeFileSync(
        join(programs, name),
        `#!/bin/sh\necho "$0 $*" >> ${seen}\nexec ${binDir}/${name} "$@"\n`,
        { mode: 0o755 },
      );
    const urlOf = (login: string, database: string) =>
      addressWith(`${login}:${PASSWORD}`, { query: '?sslmode=verify-full' }).replace(
        '/postgres?',
        `/${database}?`,
      );
    const environmentOf = (database: string) => ({
      TMPDIR: temporary,
      POSTGRES_BIN_DIR: programs,
      NODE_EXTRA_CA_CERTS: authority(),
      DATABASE_ADMIN_URL: urlOf('discount', 'postgres'),
      DATABASE_OWNER_URL: urlOf('copydesk_owner', database),
      DATABASE_URL: urlOf('copydesk_login', database),
      DATABASE_WORKER_URL: urlOf('copydesk_worker_login', database),
      DATABASE_OPERATOR_URL: urlOf('copydesk_operator_login', database),
      DATABASE_BACKUP_URL: urlOf('copydesk_backup', database),
      AUDIT_KEY: 'the audit key of a database that was restored',
      CREDENTIALS_KEY: 'a master key for a database that was restored',
      CREDENTIALS_INDEX_KEY: 'an index key for a database that was restored',
    });
    const made = await run('create-database', [], environmentOf('copydesk'));
    expect(made).toMatchObject({ code: 0, output: expect.stringContaining('Created the database copydesk') });
    expect(await run('migrate', [], environmentOf('copydesk'))).toEqual({
      code: 0,
      output: 'The schema is up to date.\n',
    });
    const to = join(folder, 'backups');
    const taken = await run('backup', ['--to', to, '--plain'], environmentOf('copydesk'));
    expect(taken).toMatchObject({ code: 0, output: expect.stringMatching(/rows in \d+ tables/) });
    const [name = ''] = readdirSync(to);
    const restored = await run('restore', ['--from', join(to, name)], environmentOf('restored'));
    expect(restored).toMatchObject({ code: 0, output: expect.stringContaining('rows as in the manifest') });

    expect(existsSync(seen)).toBe(true);
    const arguments_ = readFileSync(seen, 'utf8');
    expect(arguments_).toContain('pg_dump');
    expect(arguments_).not.toMatch(/50%(25)?off/);
    // What libpq was given as authorities is gone.
    expect(readdirSync(temporary)).toEqual([]);
  },
  180_000,
);
