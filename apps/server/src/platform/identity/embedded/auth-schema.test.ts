import { getMigrations } from 'better-auth/db/migration';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../../../tests/support/database.ts';
import { createPool } from '../../db/connection/connection.ts';
import { createStatements } from '../../db/statements.ts';
import { originsOf } from '../origins.ts';
import { IDENTITY_SCHEMA, IDENTITY_TABLES } from '../tables.ts';
import { createAuth } from './auth-instance.ts';
import { passwordHashes } from './passwords/password-hashes.ts';

let database: TestDatabase;
let pool: ReturnType<typeof createPool>;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = createPool({ url: database.ownerUrl, applicationName: 'test' });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

test('the library finds nothing to add to a migrated database', async () => {
  const auth = createAuth({
    pool,
    statements: createStatements(pool),
    secret: 'not-a-secret-but-long-enough-0123456789',
    origins: originsOf(undefined, 3000),
    mailer: null,
    log: pino({ level: 'silent' }),
    now: () => new Date(),
    throttle: { take: async () => null, clear: async () => {} },
    usedCodes: { use: async () => true, isUsed: async () => false },
    verifyCode: async () => ({ ok: true }),
    passwordHashes,
    maxSessionS: 3600,
    onSessionEnded: () => {},
    onAccountChange: async () => {},
  });
  const { toBeCreated, toBeAdded, compileMigrations } = await getMigrations(auth.options);
  expect(toBeCreated).toEqual([]);
  expect(toBeAdded).toEqual([]);
  expect(await compileMigrations()).toBe(';');
});

test('every table of the schema is on the list of those without row-level security', async () => {
  const { rows } = await pool.query<{ tablename: string }>(
    'SELECT tablename FROM pg_tables WHERE schemaname = $1',
    [IDENTITY_SCHEMA],
  );
  expect(rows.map((row) => row.tablename).sort()).toEqual([...IDENTITY_TABLES].sort());
});
