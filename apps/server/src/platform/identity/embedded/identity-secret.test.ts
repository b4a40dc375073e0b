import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { symmetricEncrypt } from 'better-auth/crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../../../tests/support/database.ts';
import { createPool } from '../../db/connection/connection.ts';
import { createStatements } from '../../db/statements.ts';
import { loadIdentitySecret } from './identity-secret.ts';

let database: TestDatabase;
let pool: ReturnType<typeof createPool>;
let dataDir: string;
beforeEach(async () => {
  database = await createTestDatabase();
  pool = createPool({ url: database.ownerUrl, applicationName: 'test' });
  dataDir = await mkdtemp(join(tmpdir(), 'copydesk-'));
});
afterEach(async () => {
  await pool.end();
  await database.drop();
  await rm(dataDir, { recursive: true });
});

const file = () => join(dataDir, 'secrets', 'identity-secret');
const load = (configured?: string) =>
  loadIdentitySecret({ statements: createStatements(pool), configured, dataDir });
const addUser = () =>
  pool.query(`INSERT INTO identity."user" (name, email, email_verified) VALUES ('A', 'a@b.example', true)`);
async function addKey(secret: string) {
  const privateKey = JSON.stringify(await symmetricEncrypt({ key: secret, data: '{}' }));
  const text = 'INSERT INTO identity.jwks (public_key, private_key, created_at) VALUES ($1, $2, now())';
  await pool.query(text, ['{}', privateKey]);
}

test('is generated once, for the owner alone, whichever process comes first', async () => {
  const secrets = await Promise.all([load(), load(), load()]);
  expect(new Set(secrets).size).toBe(1);
  expect(secrets[0]?.length).toBeGreaterThan(40);
  expect((await readFile(file(), 'utf8')).trim()).toBe(secrets[0]);
  expect((await stat(file())).mode & 0o777).toBe(0o600);
  await addUser();
  expect(await load()).toBe(secrets[0]);
});

test('is not generated again when there are users', async () => {
  await addUser();
  await expect(load()).rejects.toThrow('is gone. Restore the file');
  await expect(stat(file())).rejects.toThrow('ENOENT');
});

test('must match the stored keys', async () => {
  const configured = 'c'.repeat(40);
  await addKey(configured);
  expect(await load(configured)).toBe(configured);
  await expect(load('d'.repeat(40))).rejects.toThrow('used with another identity secret');
});

test('without a data folder it must be configured', async () => {
  await expect(
    loadIdentitySecret({ statements: createStatements(pool), configured: undefined, dataDir: undefined }),
  ).rejects.toThrow('BETTER_AUTH_SECRET');
});
