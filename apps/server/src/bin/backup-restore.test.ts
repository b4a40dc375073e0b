import { spawn } from 'node:child_process';
import { appendFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type BareCluster,
  SYSTEM_POSTGRES,
  startBareCluster,
} from '../../../../tests/support/bare-cluster.ts';
import { COMPILE_CACHE } from '../../../../tests/support/compile-cache.ts';
import { KEYRING } from '../../../../tests/support/test-keys.ts';
import { seedDemoWorld } from '../demo/seed.ts';

// With the machine's own PostgreSQL, because backups need its client programs.
const SIGNED_IN = `WITH person AS (
    INSERT INTO identity."user" (name, email, email_verified) VALUES ('Ann', 'ann@example.com', true) RETURNING id)
  INSERT INTO identity.session (expires_at, token, updated_at, user_id, authenticated_at)
  SELECT now() + interval '1 day', 'a token', now(), id, now() FROM person`;
const WALLET = `INSERT INTO chain_wallet (chain_id, role, owner_id, key_index, address)
  VALUES (56, 'gas', '00000000-0000-0000-0000-000000000000', 0, '0x00000000000000000000000000000000000000aa')`;

let source: BareCluster;
let target: BareCluster;
let folder: string;
let binDir: string;
beforeAll(async () => {
  if (SYSTEM_POSTGRES === null) return;
  binDir = SYSTEM_POSTGRES;
  folder = mkdtempSync(join(tmpdir(), 'copydesk-backup-'));
  [source, target] = await Promise.all([startBareCluster(binDir), startBareCluster(binDir)]);
  const created = await run('create-database', [], environmentOf(source));
  expect(created).toEqual({
    code: 0,
    output: expect.stringMatching(
      /^Created the database copydesk. New roles: copydesk_owner, copydesk_app, copydesk_worker, copydesk_login, copydesk_worker_login, copydesk_backup. Applied \d+ mig/,
    ),
  });
  const ownerUrl = source.urlOf('copydesk_owner', 'owner', 'copydesk');
  await seedDemoWorld(ownerUrl, {
    scale: 0.05,
    readingEveryMs: 480_000,
    keyring: KEYRING,
    onProgress: () => {},
  });
  await ask(databaseOf(source), SIGNED_IN);
  await ask(databaseOf(source), WALLET);
});
afterAll(async () => {
  await Promise.all([source?.stop(), target?.stop()]);
  if (folder) rmSync(folder, { recursive: true });
});

async function run(program: string, args: string[], env: Record<string, string>) {
  const script = fileURLToPath(new URL(`./${program}.ts`, import.meta.url));
  const child = spawn(process.execPath, [script, ...args], {
    env: { ...COMPILE_CACHE, POSTGRES_BIN_DIR: binDir, ...env },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const code = await new Promise((resolve) => child.on('close', resolve));
  return { code, output };
}

const backUp = (login: string, ...args: string[]) =>
  run('backup', ['--to', folder, ...args], {
    DATABASE_URL: environmentOf(source).DATABASE_URL,
    DATABASE_BACKUP_URL: source.urlOf(login, login.split('_')[1] ?? '', 'copydesk'),
  });

const environmentOf = ({ adminUrl, urlOf }: BareCluster) => ({
  DATABASE_ADMIN_URL: adminUrl,
  DATABASE_OWNER_URL: urlOf('copydesk_owner', 'owner', 'copydesk'),
  DATABASE_URL: urlOf('copydesk_login', 'login', 'copydesk'),
  DATABASE_WORKER_URL: urlOf('copydesk_worker_login', 'worker', 'copydesk'),
  DATABASE_BACKUP_URL: urlOf('copydesk_backup', 'backup', 'copydesk'),
  AUDIT_KEY: 'the audit key of a database that was restored',
  CREDENTIALS_KEY: 'a master key for a database that was restored',
  CREDENTIALS_INDEX_KEY: 'an index key for a database that was restored',
});

/** The database of a cluster, without row-level security. */
function databaseOf({ adminUrl }: BareCluster): string {
  const url = new URL(adminUrl);
  url.pathname = '/copydesk';
  return url.href;
}

const backups = () => readdirSync(folder).sort();

async function ask<Row extends pg.QueryResultRow>(url: string, statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client
    .query<Row>(statement)
    .then(({ rows }) => rows)
    .finally(() => client.end());
}

test.skipIf(SYSTEM_POSTGRES === null)('a login that would miss rows makes no backup', async () => {
  for (const login of ['copydesk_owner', 'copydesk_login']) {
    const { code, output } = await backUp(login);
    expect(code).toBe(1);
    expect(output).toMatch(
      /^DATABASE_BACKUP_URL: row-level security hides rows from copydesk_\w+, so its backup/,
    );
  }
  expect(backups()).toEqual([]);
});

test.skipIf(SYSTEM_POSTGRES === null)(
  'a backup is restored into a bare cluster, roles included, and what it could harm is locked',
  async () => {
    const { code, output } = await backUp('copydesk_backup');
    expect({ code, output }).toEqual({
      code: 0,
      output: expect.stringMatching(/rows in \d+ tables, [\d.]+ MB\n$/),
    });
    const [name = ''] = backups();
    const from = join(folder, name);

    const restored = await run('restore', ['--from', from], environmentOf(target));
    expect(restored.output).toMatch(/^Restored the state of .*rows as in the manifest\./);
    expect(restored.code).toBe(0);

    const facts = `SELECT (SELECT count(*)::int FROM trader) AS traders,
      (SELECT count(*)::int FROM posting) AS postings,
      (SELECT count(*)::int FROM chain_wallet WHERE frozen_because IS NULL) AS unlocked_wallets,
      (SELECT count(*)::int FROM identity.session) AS sessions`;
    const [before] = await ask(databaseOf(source), facts);
    expect(before).toMatchObject({ sessions: 1, unlocked_wallets: 1 });
    expect(await ask(databaseOf(target), facts)).toEqual([{ ...before, sessions: 0, unlocked_wallets: 0 }]);
    const checked = await run('admin', ['check'], environmentOf(target));
    expect(checked.output).toContain('ok\tSchema');
    expect(checked.output).toContain('ok\tLedger');
    expect(checked.output).toMatch(/ok\tAudit: the chain of [1-9]\d* is intact/);

    const noted = `SELECT bytes > 0 AS has_bytes, verified_at IS NOT NULL AS is_verified FROM backup_record`;
    expect(await ask(databaseOf(source), noted)).toEqual([{ has_bytes: true, is_verified: false }]);
    const verify = (of: string) => run('backup', ['--verified', of], environmentOf(source));
    expect((await verify(`${from}-other`)).code).toBe(1);
    expect(await verify(from)).toEqual({ code: 0, output: '' });
    expect(await ask(databaseOf(source), noted)).toEqual([{ has_bytes: true, is_verified: true }]);

    const again = await run('restore', ['--from', from], environmentOf(target));
    expect(again).toEqual({
      code: 1,
      output: expect.stringContaining('The database copydesk exists already, and nothing was changed.'),
    });
  },
);

test.skipIf(SYSTEM_POSTGRES === null)('a damaged backup is refused before anything is created', async () => {
  await backUp('copydesk_backup');
  const from = join(folder, backups().at(-1) ?? '');
  appendFileSync(join(from, 'database.dump'), 'x');
  const { code, output } = await run('restore', ['--from', from], {
    ...environmentOf(target),
    DATABASE_OWNER_URL: target.urlOf('copydesk_owner', 'owner', 'other'),
  });
  expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining('is damaged') });
  expect(await ask(target.adminUrl, `SELECT FROM pg_database WHERE datname = 'other'`)).toEqual([]);
});

test.skipIf(SYSTEM_POSTGRES === null)('old backups go, newest first to stay', async () => {
  await backUp('copydesk_backup');
  const before = backups();
  const { output } = await backUp('copydesk_backup', '--keep', '2');
  expect(backups()).toHaveLength(2);
  expect(backups()[0]).toBe(before.at(-1));
  expect(output).toContain(`Removed: ${before.slice(0, -1).join(', ')}`);
});
