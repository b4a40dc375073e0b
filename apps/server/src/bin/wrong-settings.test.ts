import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { applicationUrlOf, workerUrlOf } from '../../../../tests/support/application-url.ts';
import { COMPILE_CACHE } from '../../../../tests/support/compile-cache.ts';
import { createTestDatabase, type TestDatabase } from '../../../../tests/support/database.ts';
import { isLong } from '../../../../tests/support/long-test.ts';
import { BOX, POOL_KEY_IDENTITIES } from '../../../../tests/support/test-keys.ts';
import {
  readApiConfig,
  readPoolKeyIdentities,
  readWalletSeed,
  readWorkerAuditKey,
  readWorkerConfig,
} from '../config.ts';
import { accountKeyOf } from '../integrations/chain/account-key.ts';
import { describeStartProblem, EXIT_CONFIG } from '../platform/process/start-error.ts';

const SEED = randomBytes(32).toString('hex');
const RPC = { CHAIN_RPC_URLS: 'http://127.0.0.1:9' };
const BOUNDS = { PAYOUT_MAX_PER_TRANSACTION: '100', PAYOUT_MAX_PER_DAY: '100', APPROVAL_ABOVE_USDT: '10' };
/** What none of the lines may repeat. */
const SECRETS = ['s3cret', SEED];

let database: TestDatabase;
let taken: { port: string; close(): void };
let settings: Record<string, string>;
let openFolder: string;
let workerUrl: string;

beforeAll(async () => {
  database = await createTestDatabase();
  taken = await takePort();
  openFolder = mkdtempSync(join(tmpdir(), 'copydesk-open-'));
  chmodSync(openFolder, 0o777);
  workerUrl = await workerUrlOf(database.ownerUrl);
  settings = {
    DATABASE_URL: await applicationUrlOf(database.ownerUrl),
    DATABASE_DURABILITY: 'single',
    DATABASE_POOL: '2',
    AUDIT_KEY: 'an audit key for these tests alone',
    BETTER_AUTH_SECRET: 'an identity secret for these tests alone',
    CREDENTIALS_KEY: 'a master key for these tests and no others',
    CREDENTIALS_INDEX_KEY: 'an index key for these tests and no others',
    PORT: '0',
  };
});
afterAll(async () => {
  taken?.close();
  rmSync(openFolder, { recursive: true, force: true });
  await database?.drop();
});

function takePort(): Promise<{ port: string; close(): void }> {
  const server = createServer();
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      resolve({ port: String(port), close: () => server.close() });
    });
  });
}

/** Runs a program until it ends, with these variables and no others. */
function run(program: string, env: Record<string, string>) {
  const script = fileURLToPath(new URL(`./${program}.ts`, import.meta.url));
  const child = spawn(process.execPath, [script], { env: { ...COMPILE_CACHE, ...env } });
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => {
    output += chunk;
    errors += chunk;
  });
  return new Promise<{ code: number | null; output: string; errors: string }>((resolve) => {
    child.once('close', (code) => resolve({ code, output, errors }));
  });
}

/** The same start may succeed later. */
const MAY_PASS = /nothing answers|is in use by another program|METRICS_PORT: port/;

const otherKey = accountKeyOf(randomBytes(32));

type Case = [program: 'api' | 'worker', what: string, wrong: () => Record<string, string>, problem: string];

/** The settings of a program with these wrong ones. */
const given = (program: Case[0], wrong: Record<string, string>) => ({
  ...settings,
  ...(program === 'worker' ? { DATABASE_URL: workerUrl } : {}),
  ...wrong,
});

/** Reads all settings of a program, as its start does. */
async function readSettings(program: Case[0], env: Record<string, string>): Promise<void> {
  if (program === 'api') {
    readApiConfig(env);
    return;
  }
  readWalletSeed(readWorkerConfig(env), env);
  readWorkerAuditKey(env);
  await readPoolKeyIdentities(env);
}

test.each<Case>([
  [
    'api',
    'secrets of other programs',
    () => ({ AUDIT_WORKER_KEY: `s3cret${SEED}`, DATABASE_OWNER_URL: database.ownerUrl }),
    'must not be given DATABASE_OWNER_URL, AUDIT_WORKER_KEY: ',
  ],
  [
    'api',
    'what opens the keys of pools',
    () => ({ POOL_KEYS_IDENTITY: POOL_KEY_IDENTITIES[0] }),
    'must not be given POOL_KEYS_IDENTITY: ',
  ],
  [
    'worker',
    'an identity that is none',
    () => ({ POOL_KEYS_IDENTITY: `${POOL_KEY_IDENTITIES[0]},s3cret` }),
    'POOL_KEYS_IDENTITY must be',
  ],
  ['worker', 'a short key of its own', () => ({ AUDIT_WORKER_KEY: 's3cret' }), 'AUDIT_WORKER_KEY needs'],
  [
    'worker',
    "the API's audit key as its own",
    () => ({ AUDIT_WORKER_KEY: settings.AUDIT_KEY ?? '' }),
    'AUDIT_WORKER_KEY must not be AUDIT_KEY',
  ],
  ['api', 'a number that is none', () => ({ RATE_LIMIT_PER_MINUTE: 's3cret' }), 'RATE_LIMIT_PER_MINUTE: '],
  [
    'worker',
    'a time that no timer waits for',
    () => ({ READING_EVERY_MS: '99999999999999' }),
    'READING_EVERY_MS: must be at most 86400000',
  ],
  [
    'api',
    'an old key that is none',
    () => ({ CREDENTIALS_OTHER_KEYS: `${'k'.repeat(32)},s3cret` }),
    'CREDENTIALS_OTHER_KEYS: needs 32 characters or more',
  ],
  ['api', 'a mail server that is none', () => ({ SMTP_URL: 's3cret' }), 'SMTP_URL: must be the address'],
  ['worker', 'a sender without address', () => ({ SMTP_FROM: 's3cret' }), 'SMTP_FROM: must be an e-mail'],
  [
    'worker',
    'a server of the chain that is none',
    () => ({ CHAIN_RPC_URLS: 's3cret' }),
    'CHAIN_RPC_URLS: must be an address',
  ],
  [
    'api',
    'a header without a value',
    () => ({ OTEL_EXPORTER_OTLP_HEADERS: 's3cret' }),
    'OTEL_EXPORTER_OTLP_HEADERS: ',
  ],
  [
    'worker',
    'a schedule that is none',
    () => ({ INVOICING_CRON: 'every Monday' }),
    'INVOICING_CRON: must be a cron expression of five fields',
  ],
  ['worker', 'a schedule with seconds', () => ({ INVOICING_CRON: '0 0 6 * * 1' }), 'INVOICING_CRON: must be'],
  ['worker', 'a seed that is none', () => ({ ...RPC, WALLET_SEED: 's3cret' }), 'WALLET_SEED must be'],
  [
    'worker',
    'a hard maximum below one payout',
    () => ({ ...BOUNDS, PAYOUT_HARD_MAX: '99' }),
    'PAYOUT_HARD_MAX: less than one payout may be',
  ],
  [
    'worker',
    'less gas for a day than for one top-up',
    () => ({ GAS_TOPUP_MAX_WEI: '1000', GAS_PER_DAY_WEI: '999' }),
    'GAS_PER_DAY_WEI: less than one top-up',
  ],
  ['worker', 'a seed without a chain', () => ({ WALLET_SEED: SEED }), 'WALLET_SEED needs CHAIN_RPC_URLS'],
])(
  '%s: %s is refused when the settings are read, with the code that ends restarts',
  async (program, _, wrong, problem) => {
    const refusal: unknown = await readSettings(program, given(program, wrong())).catch((error) => error);
    const found = describeStartProblem(refusal);
    expect(found).toEqual({ problem: expect.stringContaining(problem), exitCode: EXIT_CONFIG });
    for (const secret of SECRETS) expect(found?.problem).not.toContain(secret);
  },
);

/** What the programs find after their settings were read; and one setting, for what is around the reading. */
const STARTS: readonly Case[] = [
  ['api', 'an account key that is none', () => ({ DEPOSIT_ACCOUNT_KEY: 's3cret' }), 'DEPOSIT_ACCOUNT_KEY: '],
  ['api', 'no database', () => ({ DATABASE_URL: '' }), 'DATABASE_URL is not set'],
  [
    'worker',
    'no address of a database',
    () => ({ DATABASE_URL: 's3cret' }),
    'DATABASE_URL is not a PostgreSQL address',
  ],
  [
    'api',
    'a database that does not answer',
    () => ({ DATABASE_URL: 'postgres://copydesk:s3cret@127.0.0.1:9/copydesk' }),
    'DATABASE_URL: nothing answers at 127.0.0.1:9',
  ],
  [
    'worker',
    'a wrong password',
    () => ({ DATABASE_URL: database.ownerUrl.replace(/:[^:@]+@/, ':s3cret@') }),
    'DATABASE_URL: the password for user',
  ],
  [
    'api',
    'the login of the owner',
    () => ({ DATABASE_URL: database.ownerUrl }),
    'must not connect as copydesk',
  ],
  ['api', 'the seed', () => ({ WALLET_SEED: SEED }), 'must not be given WALLET_SEED: '],
  [
    'worker',
    'a public key that it does not open',
    () => ({ POOL_KEYS_IDENTITY: POOL_KEY_IDENTITIES[1], POOL_KEYS_RECIPIENT: BOX.recipient }),
    'POOL_KEYS_RECIPIENT is not the public key',
  ],
  [
    'worker',
    'a seed, and a folder that other users may write',
    () => ({ ...RPC, ...BOUNDS, WALLET_SEED: SEED, COPYDESK_DATA_DIR: openFolder }),
    'every user may write ',
  ],
  ...(['api', 'worker'] as const).map(
    (program) =>
      [
        program,
        'a demo world, with a database that is none',
        () => ({ COPYDESK_DEMO: '1', ...(program === 'worker' ? { DATABASE_WORKER_URL: workerUrl } : {}) }),
        'COPYDESK_DEMO is set, but this database is not a demo world',
      ] as [typeof program, string, () => Record<string, string>, string],
  ),
  ['api', 'no audit key', () => ({ AUDIT_KEY: '' }), 'set AUDIT_KEY'],
  ['api', 'a host that is none', () => ({ HOST: 'no host' }), 'HOST: is no address of this machine'],
  [
    'worker',
    'a host for metrics that is none',
    () => ({ METRICS_HOST: 'no host', WORKER_METRICS_PORT: '1' }),
    'METRICS_HOST: is no address of this machine',
  ],
  ['api', 'a port in use', () => ({ PORT: taken.port }), 'is in use by another program'],
  ['api', 'a metrics port in use', () => ({ METRICS_PORT: taken.port }), 'METRICS_PORT: port '],
  [
    'worker',
    'a metrics port in use',
    () => ({ WORKER_METRICS_PORT: taken.port, METRICS_PORT: '1' }),
    'WORKER_METRICS_PORT: port ',
  ],
  [
    'api',
    'the address of a replica that is none',
    () => ({ DATABASE_READ_URL: 'postgres://reader:s3cret@127.0.0.1/x,s3cret' }),
    'DATABASE_READ_URL is not a PostgreSQL address',
  ],
  [
    'api',
    'a wrong password of a replica',
    () => {
      const url = new URL(settings.DATABASE_URL ?? '');
      url.password = 's3cret';
      return { DATABASE_READ_URL: url.href };
    },
    'DATABASE_READ_URL: the password for user',
  ],
  [
    'api',
    'the login of the owner at a replica',
    () => ({ DATABASE_READ_URL: database.ownerUrl }),
    'The API must not connect as',
  ],
  [
    'worker',
    'a seed without bounds',
    () => ({ ...RPC, ...BOUNDS, WALLET_SEED: SEED, PAYOUT_MAX_PER_DAY: '' }),
    'WALLET_SEED needs PAYOUT_MAX_PER_DAY: ',
  ],
  [
    'worker',
    'the account key of another seed',
    () => ({ ...RPC, ...BOUNDS, WALLET_SEED: SEED, DEPOSIT_ACCOUNT_KEY: otherKey }),
    'DEPOSIT_ACCOUNT_KEY is not the public key',
  ],
  [
    'worker',
    'a time that no timer waits for',
    () => ({ READING_EVERY_MS: '99999999999999' }),
    'READING_EVERY_MS: must be',
  ],
];
/** A start takes seconds of a core: the rest of them is for `npm run test:long`. */
const QUICK = [
  'the seed',
  'a wrong password',
  'a wrong password of a replica',
  'a port in use',
  'a time that no timer waits for',
];

test.concurrent.each(isLong ? STARTS : STARTS.filter(([, what]) => QUICK.includes(what)))(
  '%s: %s is one line that names it',
  async (program, _, wrong, problem) => {
    const { code, output, errors } = await run(program, given(program, wrong()));
    expect(code, output).toBe(MAY_PASS.test(problem) ? 1 : EXIT_CONFIG);
    // A database without a super admin has a word of its own before.
    const lines = output
      .trim()
      .split('\n')
      .filter((text) => !text.includes('No super admin exists yet'));
    expect(lines, output).toHaveLength(1);
    expect(errors.trim(), 'on standard error').toBe(lines[0]);
    const line = JSON.parse(lines[0] ?? '');
    expect(line).toMatchObject({ level: 60, name: program, msg: 'not started' });
    expect(line.problem).toContain(problem);
    expect(line).not.toHaveProperty('err');
    for (const secret of SECRETS) expect(output).not.toContain(secret);
  },
);

test.each([
  ['no database', {}, 'Set DATABASE_OWNER_URL or DATABASE_URL.'],
  [
    'a database that does not answer',
    { DATABASE_OWNER_URL: 'postgres://copydesk:s3cret@127.0.0.1:9/copydesk' },
    'DATABASE_OWNER_URL: nothing answers at 127.0.0.1:9. Is PostgreSQL running there?',
  ],
  ['a wrong number', { PORT: 'abc' }, /^The configuration is wrong:\n {2}PORT: /],
])('migrations: %s is named, without a stack', async (_, env, problem) => {
  const { code, output } = await run('migrate', env);
  expect(code).toBe(MAY_PASS.test(String(problem)) ? 1 : EXIT_CONFIG);
  if (typeof problem === 'string') expect(output.trim()).toBe(problem);
  else expect(output).toMatch(problem);
  expect(output).not.toMatch(/^\s+at /m);
});

test.each(['migrate', 'backup', 'restore', 'create-database', 'admin', 'rotate-key', 'seed'])(
  '%s: a wrong setting is one line on standard error, and the code that ends restarts',
  async (program) => {
    const wrong = 'postgres://copydesk:s3cret%zz@db.example/copydesk?sslmode=sometimes';
    const { code, output, errors } = await run(program, {
      DATABASE_URL: wrong,
      DATABASE_OWNER_URL: wrong,
      DATABASE_ADMIN_URL: wrong,
    });
    // Of these two, usage comes first.
    if (program === 'restore' || program === 'admin') expect(errors).toContain('Usage: ');
    else expect(errors.trim()).toMatch(/^DATABASE_(OWNER_)?URL: sslmode=sometimes is not known\. .+$/);
    expect(code, output).toBe({ admin: 2, restore: 1 }[program] ?? EXIT_CONFIG);
    expect(output).not.toMatch(/^\s+at /m);
    expect(output).not.toContain('s3cret');
  },
);

test('what the database refuses at a start is one line, without a stack', async () => {
  const client = new pg.Client({ connectionString: database.ownerUrl });
  await client.connect();
  await client.query('ALTER TABLE audit_entry RENAME TO audit_entry_away');
  await client.end();
  const { code, errors } = await run('worker', { ...settings, DATABASE_URL: workerUrl });
  expect(errors.trim().split('\n')).toHaveLength(1);
  const line = JSON.parse(errors);
  expect(line).toMatchObject({ level: 60, problem: expect.stringContaining('The database refuses (42P01)') });
  expect(line).not.toHaveProperty('err');
  expect(code).toBe(EXIT_CONFIG);
});
