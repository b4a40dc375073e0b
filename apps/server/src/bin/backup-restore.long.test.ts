import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
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
import { BOX, KEYRING, POOL_KEYS } from '../../../../tests/support/test-keys.ts';
import { seedDemoWorld } from '../demo/seed.ts';
import type { StoredPoolKey } from '../features/pools/keys/pool-key-box.ts';
import { type AgeKeyPair, createAgeKeyPair } from '../platform/backup/age.ts';

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
/** Where the private halves are: not where backups are. */
let keys: string;
let binDir: string;
let first: AgeKeyPair;
let second: AgeKeyPair;
beforeAll(async () => {
  if (SYSTEM_POSTGRES === null) return;
  binDir = SYSTEM_POSTGRES;
  folder = mkdtempSync(join(tmpdir(), 'copydesk-backup-'));
  keys = mkdtempSync(join(tmpdir(), 'copydesk-identities-'));
  [first, second] = await Promise.all([createAgeKeyPair(), createAgeKeyPair()]);
  // With containers the database takes no plain connection.
  [source, target] = await Promise.all([
    startBareCluster(binDir, { hasTls: true }),
    startBareCluster(binDir),
  ]);
  const created = await run('create-database', [], environmentOf(source));
  expect(created).toEqual({
    code: 0,
    output: expect.stringMatching(
      /^Created the database copydesk. New roles: copydesk_owner, copydesk_app, copydesk_worker, copydesk_operator, copydesk_login, copydesk_worker_login, copydesk_operator_login, copydesk_backup. Applied \d+ mig/,
    ),
  });
  const ownerUrl = source.urlOf('copydesk_owner', 'owner', 'copydesk');
  await seedDemoWorld(ownerUrl, {
    scale: 0.05,
    readingEveryMs: 480_000,
    keyring: KEYRING,
    box: BOX,
    onProgress: () => {},
  });
  await ask(databaseOf(source), SIGNED_IN);
  await ask(databaseOf(source), WALLET);
});
afterAll(async () => {
  await Promise.all([source?.stop(), target?.stop()]);
  for (const made of [folder, keys]) if (made) rmSync(made, { recursive: true });
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

const backUp = (login: string, ...args: string[]) => backUpWith({}, login, ...args);

const backUpWith = (env: Record<string, string>, login: string, ...args: string[]) =>
  run('backup', ['--to', folder, ...args], {
    DATABASE_URL: environmentOf(source).DATABASE_URL,
    DATABASE_BACKUP_URL: source.urlOf(login, login.split('_')[1] ?? '', 'copydesk'),
    BACKUP_AGE_RECIPIENTS: `${first.recipient}, ${second.recipient}`,
    ...env,
  });

function identityFile(name: string, ...pairs: AgeKeyPair[]): string {
  const path = join(keys, name);
  const lines = pairs.flatMap(({ identity, recipient }) => [`# public key: ${recipient}`, identity]);
  writeFileSync(path, lines.join('\n'), { mode: 0o600 });
  return path;
}

const newestBackup = () => join(folder, backups().at(-1) ?? '');
const manifestIn = (backup: string) => JSON.parse(readFileSync(join(backup, 'manifest.json'), 'utf8'));
/** A custom-format archive of pg_dump begins with this. */
const isArchive = (path: string) => readFileSync(path).includes('PGDMP');

/** A restore that must create nothing. */
async function refusedRestore(...args: string[]): Promise<string> {
  const { code, output } = await run('restore', args, {
    ...environmentOf(target),
    DATABASE_OWNER_URL: target.urlOf('copydesk_owner', 'owner', 'other'),
  });
  expect(code).toBeGreaterThan(0);
  expect(await ask(target.adminUrl, `SELECT FROM pg_database WHERE datname = 'other'`)).toEqual([]);
  return output;
}

const environmentOf = ({ adminUrl, urlOf }: BareCluster) => ({
  DATABASE_ADMIN_URL: adminUrl,
  DATABASE_OWNER_URL: urlOf('copydesk_owner', 'owner', 'copydesk'),
  DATABASE_URL: urlOf('copydesk_login', 'login', 'copydesk'),
  DATABASE_WORKER_URL: urlOf('copydesk_worker_login', 'worker', 'copydesk'),
  DATABASE_OPERATOR_URL: urlOf('copydesk_operator_login', 'operator', 'copydesk'),
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
    expect(code).toBe(78);
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
      output: expect.stringMatching(/rows in \d+ tables, [\d.]+ MB, encrypted\n$/),
    });
    const from = newestBackup();
    expect(readdirSync(from).sort()).toEqual(['database.dump.age', 'manifest.json']);
    expect(isArchive(join(from, 'database.dump.age'))).toBe(false);
    expect(manifestIn(from).encryptedTo).toEqual([first.recipient, second.recipient]);

    // One of two halves is enough, and it may be beside others.
    const identity = identityFile('both.txt', await createAgeKeyPair(), second);
    const restored = await run('restore', ['--from', from, '--identity', identity], environmentOf(target));
    expect(readdirSync(from).sort()).toEqual(['database.dump.age', 'manifest.json']);
    expect(restored.output).toMatch(/^Restored the state of .*rows as in the manifest\./);
    expect(restored.code).toBe(0);

    const facts = `SELECT (SELECT count(*)::int FROM trader) AS traders,
      (SELECT count(*)::int FROM posting) AS postings,
      (SELECT count(*)::int FROM chain_wallet WHERE frozen_because IS NULL) AS unlocked_wallets,
      (SELECT count(*)::int FROM identity.session) AS sessions`;
    const [before] = await ask(databaseOf(source), facts);
    expect(before).toMatchObject({ sessions: 1, unlocked_wallets: 1 });
    expect(await ask(databaseOf(target), facts)).toEqual([{ ...before, sessions: 0, unlocked_wallets: 0 }]);
    // A worker of the restored installation opens the keys of its pools.
    const poolKeys = await ask<StoredPoolKey>(
      databaseOf(target),
      `SELECT pooled_account_id AS "poolId", field, version, ciphertext, recipient FROM pool_key`,
    );
    expect(poolKeys.length).toBeGreaterThan(0);
    for (const pool of new Set(poolKeys.map(({ poolId }) => poolId)))
      expect(await POOL_KEYS.open(poolKeys.filter(({ poolId }) => poolId === pool))).not.toBeNull();
    const checked = await run('admin', ['check'], environmentOf(target));
    expect(checked.output).toContain('ok\tSchema');
    expect(checked.output).toContain('ok\tLedger');
    expect(checked.output).toMatch(/ok\tAudit: the chain of 0 is intact; not sealed yet: [1-9]/);

    const noted = `SELECT bytes > 0 AS has_bytes, is_encrypted, verified_at IS NOT NULL AS is_verified FROM backup_record`;
    const backup = { has_bytes: true, is_encrypted: true };
    expect(await ask(databaseOf(source), noted)).toEqual([{ ...backup, is_verified: false }]);
    const verify = (of: string) => run('backup', ['--verified', of], environmentOf(source));
    expect((await verify(`${from}-other`)).code).toBe(1);
    expect(await verify(from)).toEqual({ code: 0, output: '' });
    expect(await ask(databaseOf(source), noted)).toEqual([{ ...backup, is_verified: true }]);
    expect((await run('admin', ['check'], environmentOf(source))).output).toMatch(
      /ok\tBackups: the newest, of \S+, is encrypted/,
    );

    const again = await run('restore', ['--from', from, '--identity', identity], environmentOf(target));
    expect(again).toEqual({
      code: 1,
      output: expect.stringContaining('The database copydesk exists already, and nothing was changed.'),
    });
  },
);

test.skipIf(SYSTEM_POSTGRES === null)('an encrypted backup names the identity that it needs', async () => {
  await backUpWith({ BACKUP_AGE_RECIPIENTS: first.recipient }, 'copydesk_backup');
  const from = newestBackup();
  expect(await refusedRestore('--from', from)).toContain(
    `is encrypted to ${first.recipient}. Give its identity`,
  );
  const wrong = identityFile('wrong.txt', second);
  const refusal = await refusedRestore('--from', from, '--identity', wrong);
  expect(refusal).toContain(
    `${wrong} is the identity of ${second.recipient}, but ${join(from, 'database.dump.age')} is encrypted to ${first.recipient}.`,
  );
  expect(refusal).not.toContain(second.identity);
  const nothing = join(keys, 'nothing.txt');
  writeFileSync(nothing, `${first.identity.slice(0, -1)}\n`);
  const none = await refusedRestore('--from', from, '--identity', nothing);
  expect(none).toContain(`${nothing} is no identity of age`);
  expect(none).not.toContain(first.identity.slice(0, -1));
});

test.skipIf(SYSTEM_POSTGRES === null)('a backup is plain only when that is said', async () => {
  const before = backups();
  const recipientless = { BACKUP_AGE_RECIPIENTS: '' };
  const silent = await backUpWith(recipientless, 'copydesk_backup');
  expect(silent).toEqual({ code: 78, output: expect.stringMatching(/^Set BACKUP_AGE_RECIPIENTS: /) });
  const both = await backUp('copydesk_backup', '--plain');
  expect(both).toEqual({ code: 78, output: expect.stringContaining('--plain contradicts it') });
  // A letter of a recipient is wrong, or it is the private half.
  const mistyped = first.recipient.replace(/.$/, (last) => (last === 'q' ? 'p' : 'q'));
  const wrong = await backUpWith({ BACKUP_AGE_RECIPIENTS: mistyped }, 'copydesk_backup');
  expect(wrong).toEqual({ code: 78, output: expect.stringContaining(`${mistyped} is no recipient of age`) });
  const secret = await backUpWith({ BACKUP_AGE_RECIPIENTS: first.identity }, 'copydesk_backup');
  expect(secret).toEqual({ code: 78, output: expect.stringContaining('must be recipients of age') });
  expect(secret.output).not.toContain(first.identity);
  expect(backups()).toEqual(before);

  const { code, output } = await backUpWith(recipientless, 'copydesk_backup', '--plain');
  expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(/ MB, not encrypted\n$/) });
  const from = newestBackup();
  expect(isArchive(join(from, 'database.dump'))).toBe(true);
  const checked = await run('admin', ['check'], environmentOf(source));
  expect(checked.output).toMatch(/Backups: the newest, of \S+, is not encrypted/);
  expect(checked.code).toBe(1);

  const expected = await refusedRestore('--from', from, '--identity', identityFile('first.txt', first));
  expect(expected).toContain('is not encrypted. If it should be, it is another one than you made');
  await target.asAdmin('DROP DATABASE copydesk');
  const restored = await run('restore', ['--from', from], environmentOf(target));
  expect({ ...restored }).toEqual({
    code: 0,
    output: expect.stringContaining('rows as in the manifest'),
  });
});

test.skipIf(SYSTEM_POSTGRES === null)(
  'a dump that cannot be made or read back leaves no backup',
  async () => {
    const before = backups();
    const programs = mkdtempSync(join(tmpdir(), 'copydesk-programs-'));
    const write = (name: string, text: string) =>
      writeFileSync(join(programs, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    try {
      write('pg_dump', `${binDir}/pg_dump "$@" | head -c 20000`);
      write('pg_restore', `exec ${binDir}/pg_restore "$@"`);
      const short = await backUpWith({ POSTGRES_BIN_DIR: programs }, 'copydesk_backup');
      expect(short).toEqual({ code: 1, output: expect.stringMatching(/^pg_restore: error: .*end of file/) });

      write('pg_dump', `${binDir}/pg_dump "$@"; echo "pg_dump: error: the server went away" >&2; exit 1`);
      const failed = await backUpWith({ POSTGRES_BIN_DIR: programs }, 'copydesk_backup');
      expect(failed).toEqual({ code: 1, output: 'pg_dump: error: the server went away\n' });

      write('pg_dump', `exec ${binDir}/pg_dump "$@"`);
      rmSync(join(programs, 'pg_restore'));
      const missing = await backUpWith({ POSTGRES_BIN_DIR: programs }, 'copydesk_backup');
      expect(missing).toEqual({ code: 78, output: expect.stringMatching(/^pg_restore is not installed/) });
      expect(readdirSync(folder).sort()).toEqual(before);
    } finally {
      rmSync(programs, { recursive: true });
    }
  },
);

test.skipIf(SYSTEM_POSTGRES === null)('a damaged backup is refused before anything is created', async () => {
  await backUp('copydesk_backup');
  const from = newestBackup();
  appendFileSync(join(from, 'database.dump.age'), 'x');
  const identity = identityFile('first.txt', first);
  expect(await refusedRestore('--from', from, '--identity', identity)).toContain('is damaged');
});

test.skipIf(SYSTEM_POSTGRES === null)(
  'a backup that someone changed, manifest included, is restored by nobody',
  async () => {
    await backUp('copydesk_backup');
    const from = newestBackup();
    const file = join(from, 'database.dump.age');
    const content = readFileSync(file);
    // In the middle: a part of it is authentic.
    content[Math.floor(content.length / 2)] = (content[Math.floor(content.length / 2)] ?? 0) ^ 1;
    writeFileSync(file, content);
    const manifest = manifestIn(from);
    manifest.dump.sha256 = createHash('sha256').update(content).digest('hex');
    writeFileSync(join(from, 'manifest.json'), JSON.stringify(manifest));
    await target.asAdmin('DROP DATABASE copydesk');
    const identity = identityFile('first.txt', first);
    const { code, output } = await run(
      'restore',
      ['--from', from, '--identity', identity],
      environmentOf(target),
    );
    expect({ code, output }).toEqual({
      code: 1,
      output: expect.stringContaining('database.dump.age was changed, or is not whole'),
    });
  },
);

/** Debian's program, where it is installed: apt-get install age. */
const AGE = ['/usr/bin/age', '/usr/local/bin/age'].find((path) => existsSync(path));
test.skipIf(SYSTEM_POSTGRES === null || AGE === undefined)(
  `age opens our backups${AGE ? '' : ' (it is not installed here)'}`,
  async () => {
    await backUp('copydesk_backup');
    const file = join(newestBackup(), 'database.dump.age');
    const identity = identityFile('first.txt', first);
    const archive = execFileSync(AGE ?? '', ['--decrypt', '--identity', identity, file], { maxBuffer: 1e9 });
    const list = execFileSync(join(binDir, 'pg_restore'), ['--list'], { input: archive, encoding: 'utf8' });
    expect(list).toContain('TABLE DATA public trader');

    // The other way round: what age made, restore opens.
    const stored = execFileSync(AGE ?? '', ['--encrypt', '--recipient', first.recipient], {
      input: archive,
      maxBuffer: 1e9,
    });
    const manifest = manifestIn(newestBackup());
    manifest.dump = { bytes: stored.length, sha256: createHash('sha256').update(stored).digest('hex') };
    writeFileSync(file, stored);
    writeFileSync(join(newestBackup(), 'manifest.json'), JSON.stringify(manifest));
    await target.asAdmin('DROP DATABASE copydesk');
    const restored = await run(
      'restore',
      ['--from', newestBackup(), '--identity', identity],
      environmentOf(target),
    );
    expect(restored.output).toMatch(/^Restored the state of/);
  },
);

/** Programs of PostgreSQL of which pg_dump is another. */
function programsWith(pgDump: string): { programs: string; remove(): void } {
  const programs = mkdtempSync(join(tmpdir(), 'copydesk-programs-'));
  const write = (name: string, text: string) =>
    writeFileSync(join(programs, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  write('pg_dump', pgDump);
  write('pg_restore', `exec ${binDir}/pg_restore "$@"`);
  return { programs, remove: () => rmSync(programs, { recursive: true }) };
}

test.skipIf(SYSTEM_POSTGRES === null)(
  'timeouts of the server and of roles do not end the session that holds the snapshot',
  async () => {
    const before = backups();
    const { programs, remove } = programsWith(`sleep 2\nexec ${binDir}/pg_dump "$@"`);
    const timeouts = ['idle_in_transaction_session_timeout', 'idle_session_timeout'];
    for (const name of timeouts) await source.asAdmin(`ALTER DATABASE copydesk SET ${name} = '300ms'`);
    await source.asAdmin(
      "ALTER ROLE copydesk_backup SET search_path = 'x'",
      'ALTER ROLE copydesk_backup SET row_security = off',
      "ALTER ROLE copydesk_backup SET lock_timeout = '1ms'",
    );
    try {
      const { code, output } = await backUpWith({ POSTGRES_BIN_DIR: programs }, 'copydesk_backup');
      expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('encrypted') });
      expect(backups()).toHaveLength(before.length + 1);
      // Whole: every table is counted in the snapshot that was dumped.
      expect(manifestIn(newestBackup()).rows['public.trader']).toBeGreaterThan(0);
    } finally {
      remove();
      for (const name of timeouts) await source.asAdmin(`ALTER DATABASE copydesk RESET ${name}`);
      await source.asAdmin('ALTER ROLE copydesk_backup RESET ALL');
    }
  },
);

test.skipIf(SYSTEM_POSTGRES === null).each(['SIGTERM', 'SIGINT'] as const)(
  'a backup that %s interrupts leaves nothing',
  async (signal) => {
    const before = readdirSync(folder).sort();
    // A dump that does not end by itself, with a part of it written.
    const { programs, remove } = programsWith(`${binDir}/pg_dump "$@" | head -c 20000; exec sleep 600`);
    const script = fileURLToPath(new URL('./backup.ts', import.meta.url));
    const child = spawn(process.execPath, [script, '--to', folder], {
      env: {
        ...COMPILE_CACHE,
        TMPDIR: programs,
        POSTGRES_BIN_DIR: programs,
        DATABASE_URL: environmentOf(source).DATABASE_URL,
        DATABASE_BACKUP_URL: environmentOf(source).DATABASE_BACKUP_URL,
        BACKUP_AGE_RECIPIENTS: first.recipient,
      },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    const ended = new Promise((resolve) => child.on('close', resolve));
    try {
      const sessions = `SELECT pid FROM pg_stat_activity WHERE application_name = 'copydesk-backup'`;
      await expect.poll(() => readdirSync(folder).some((name) => name.endsWith('.partial'))).toBe(true);
      await expect.poll(() => ask(source.adminUrl, sessions)).toHaveLength(1);
      child.kill(signal);
      expect(await ended).toBe(1);
      expect(output).toBe('The backup was interrupted. Nothing of it is left.\n');
      expect(readdirSync(folder).sort()).toEqual(before);
      await expect.poll(() => ask(source.adminUrl, sessions)).toEqual([]);
      expect(readdirSync(programs).filter((name) => name.startsWith('copydesk-authorities-'))).toEqual([]);
    } finally {
      child.kill('SIGKILL');
      remove();
    }
  },
);

test.skipIf(SYSTEM_POSTGRES === null)(
  'what a lost machine left goes, and a backup in progress stays',
  async () => {
    const [lost, present] = ['copydesk-20200101T000000000Z.partial', 'copydesk-20200102T000000000Z.partial'];
    for (const name of [lost, present]) mkdirSync(join(folder, name));
    const longAgo = new Date('2020-01-01');
    utimesSync(join(folder, lost), longAgo, longAgo);
    expect((await backUp('copydesk_backup')).code).toBe(0);
    expect(backups().filter((name) => name.endsWith('.partial'))).toEqual([present]);
    rmSync(join(folder, present), { recursive: true });
  },
);

test.skipIf(SYSTEM_POSTGRES === null)('old backups go, newest first to stay', async () => {
  await backUp('copydesk_backup');
  const before = backups();
  const { output } = await backUp('copydesk_backup', '--keep', '2');
  expect(backups()).toHaveLength(2);
  expect(backups()[0]).toBe(before.at(-1));
  expect(output).toContain(`Removed: ${before.slice(0, -1).join(', ')}`);
});
