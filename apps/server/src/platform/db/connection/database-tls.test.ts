import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type BareCluster,
  SYSTEM_POSTGRES,
  startBareCluster,
} from '../../../../../../tests/support/bare-cluster.ts';
import { COMPOSE } from '../../../../../../tests/support/compose-file.ts';
import { checkDatabaseCertificate } from '../../../wiring/check-installation.ts';
import { runProgram } from '../../backup/programs.ts';
import { createMetrics } from '../../observe/metrics.ts';
import { createPool } from './connection.ts';
import { requireDatabase } from './database-url.ts';

// PostgreSQL with the certificate, the rules and the settings of deploy/container.
const binDir = SYSTEM_POSTGRES ?? '';
const SCRIPT = fileURLToPath(
  new URL('../../../../../../deploy/container/make-certificates.sh', import.meta.url),
);
const folder = mkdtempSync(join(tmpdir(), 'copydesk-tls-'));
let cluster: BareCluster;
beforeAll(async () => {
  if (SYSTEM_POSTGRES) cluster = await startBareCluster(SYSTEM_POSTGRES, { hasTls: true });
});
afterAll(async () => {
  await cluster?.stop();
  rmSync(folder, { recursive: true });
});

const withTls = test.runIf(SYSTEM_POSTGRES);
/** The address of the cluster with other words about TLS. */
const addressWith = (change: (url: URL) => void) => {
  const url = new URL(cluster.adminUrl);
  change(url);
  return url.href;
};
const connect = (url: string) => requireDatabase(url, 'DATABASE_URL');
const dump = (url: string) =>
  runProgram('pg_dump', ['--schema-only', '--file', join(folder, 'dump')], { binDir, url });
const makeCertificates = (name: string, into: string, reader = process.getuid?.() ?? 0) =>
  execFileSync(SCRIPT, [into, name, String(reader)]);

withTls(
  'programs and pg_dump reach the database over TLS 1.3, by the authority of its certificate',
  async () => {
    const client = new pg.Client({ connectionString: cluster.adminUrl });
    await client.connect();
    const { rows } = await client.query('SELECT ssl, version FROM pg_stat_ssl WHERE pid = pg_backend_pid()');
    await client.end();
    expect(rows).toEqual([{ ssl: true, version: 'TLSv1.3' }]);
    await dump(cluster.adminUrl);
    expect(readFileSync(join(folder, 'dump'), 'utf8')).toContain('PostgreSQL database dump complete');
  },
);

withTls('the end of its certificate is a figure of each process, and a line of the doctor', async () => {
  const pool = createPool({ url: cluster.adminUrl, applicationName: 'test' });
  const metrics = createMetrics(pool);
  const figure = async () => /^copydesk_db_certificate_days_left (\S+)$/m.exec(await metrics.metrics())?.[1];
  try {
    expect(await figure()).toBeUndefined();
    await pool.query('SELECT');
    // As long as the script makes them.
    expect(Number(await figure())).toBeGreaterThan(3_640);
    expect(Number(await figure())).toBeLessThanOrEqual(3_650);
    const now = Date.now();
    const inDays = (days: number) => checkDatabaseCertificate(pool, new Date(now + days * 86_400_000));
    expect(inDays(3_600)).toEqual({
      isFine: true,
      text: expect.stringMatching(/^The certificate of the database ends on \d{4}-\d\d-\d\d\.$/),
    });
    expect(inDays(3_625)).toMatchObject({ isFine: false, text: expect.stringContaining('renew it') });
  } finally {
    await pool.end();
  }
});

withTls('a connection without TLS is refused, with the right password too', async () => {
  const plain = addressWith((url) => {
    url.search = '?sslmode=disable';
  });
  await expect(connect(plain)).rejects.toThrow('does not let user "postgres" in');
  await expect(dump(plain)).rejects.toThrow('no encryption');
});

withTls('another authority of the same name is refused', async () => {
  const foreign = join(folder, 'foreign');
  makeCertificates('localhost', foreign);
  const byAnother = addressWith((url) => url.searchParams.set('sslrootcert', join(foreign, 'ca.crt')));
  await expect(connect(byAnother)).rejects.toThrow(/certificate/);
  await expect(dump(byAnother)).rejects.toThrow('certificate verify failed');
});

withTls('a certificate for another host is refused, and new ones are taken without a restart', async () => {
  const files = dirname(new URL(cluster.adminUrl).searchParams.get('sslrootcert') ?? '');
  const { uid } = statSync(join(files, 'database.key'));
  const client = new pg.Client({ connectionString: cluster.adminUrl });
  await client.connect();
  const renewFor = async (name: string) => {
    makeCertificates(name, files, uid);
    await client.query('SELECT pg_reload_conf()');
  };
  await renewFor('another');
  await expect.poll(() => connect(cluster.adminUrl).catch(({ message }) => message)).toMatch(/altnames/);
  await expect(dump(cluster.adminUrl)).rejects.toThrow('does not match host name');
  await renewFor('localhost');
  await expect.poll(() => connect(cluster.adminUrl).catch(({ message }) => message)).toBeUndefined();
  await client.end();
});

withTls('the health check of the container is answered', () => {
  const { test: words = [] } = COMPOSE.services.database.healthcheck ?? {};
  const [, program = '', ...args] = words;
  const { port } = new URL(cluster.adminUrl);
  expect(execFileSync(join(binDir, program), [...args, '-p', port], { encoding: 'utf8' })).toContain(
    'accepting connections',
  );
});

withTls("new certificates are trusted beside those of before, and the key is its reader's alone", () => {
  const into = join(folder, 'tls');
  makeCertificates('database', into);
  const before = readFileSync(join(into, 'ca.crt'), 'utf8');
  const { ino } = statSync(join(into, 'ca.crt'));
  makeCertificates('database', into);
  const authorities = readFileSync(join(into, 'ca.crt'), 'utf8');
  expect(authorities).toMatch(/^-----BEGIN/);
  expect(authorities.endsWith(before)).toBe(true);
  makeCertificates('database', into);
  const after = readFileSync(join(into, 'ca.crt'), 'utf8');
  expect([authorities, after].map((text) => text.match(/BEGIN CERTIFICATE/g)?.length)).toEqual([2, 2]);
  expect(after).not.toContain(before);
  // A container has mounted the file, and not its name.
  expect(statSync(join(into, 'ca.crt')).ino).toBe(ino);
  expect(statSync(join(into, 'database.key')).mode & 0o777).toBe(0o600);
  execFileSync('openssl', [
    'verify',
    '-CAfile',
    join(into, 'ca.crt'),
    '-verify_hostname',
    'database',
    join(into, 'database.crt'),
  ]);
});
