import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { authCall, call } from '../../../../../../tests/support/identity/callers.ts';
import { createWorld, ORIGIN, type World } from '../../../../../../tests/support/identity/world.ts';
import { offerSetup } from './offer-setup.ts';

let world: World;
let dataDir: string;
beforeEach(async () => {
  world = await createWorld({ isDemo: false, personas: false });
  dataDir = await mkdtemp(join(tmpdir(), 'copydesk-'));
});
afterEach(async () => {
  await world.close();
  await rm(dataDir, { recursive: true });
});

const tokenFile = () => join(dataDir, 'secrets', 'setup-token');
const offer = () => offerSetup({ ...world, dataDir, origin: ORIGIN });
const offered = async () => (await readFile(tokenFile(), 'utf8')).trim();
const claim = (token: string, email = 'first@copydesk.example') =>
  call(world, ['POST', '/api/setup'], {
    body: { token, email, name: 'First', password: 'a long enough password' },
  });

test('the token is in the log and in a file for the operator only, and survives a restart', async () => {
  await offer();
  const token = await offered();
  expect((await stat(tokenFile())).mode & 0o777).toBe(0o600);
  expect(world.logged.join()).toContain(
    `${ORIGIN}/sign-in#/setup and enter this token within 24 hours: ${token}`,
  );
  await offer();
  expect(await offered()).toBe(token);
  const { rows } = await world.pool.query('SELECT * FROM identity.setup_token');
  expect(JSON.stringify(rows)).not.toContain(token);
});

test('of one wrong and four right concurrent claims exactly one wins, and its user can sign in', async () => {
  await offer();
  const token = await offered();
  const answers = await Promise.all([
    claim('wrong'),
    ...[1, 2, 3, 4].map((n) => claim(token, `first${n}@copydesk.example`)),
  ]);
  expect(answers.map((answer) => answer.status).sort()).toEqual([201, 403, 403, 403, 403]);
  const { rows } = await world.pool.query<{ email: string; super: boolean }>(
    'SELECT email, super FROM identity."user" JOIN identity.user_access ON user_id = id',
  );
  expect(rows).toMatchObject([{ super: true }]);
  const body = { email: rows[0]?.email, password: 'a long enough password' };
  expect((await authCall(world, '/sign-in/email', { body })).status).toBe(200);
  expect(await world.identity.isSetupOpen()).toBe(false);
  expect((await claim(token)).body.error).toBe('setup_token_invalid');
  await offer();
  await expect(offered()).rejects.toThrow('ENOENT');
});

test('an expired token is refused', async () => {
  await offer();
  const token = await offered();
  world.clock.offsetMs = 24 * 3600_000 + 1_000;
  expect((await claim(token)).body.error).toBe('setup_token_invalid');
  await offer();
  expect(await offered()).not.toBe(token);
  expect((await claim(await offered())).status).toBe(201);
});

test('a second token, of another process, is refused once the first one is used', async () => {
  await offer();
  const first = await offered();
  await rm(tokenFile());
  await offer();
  const second = await offered();
  expect((await claim(first)).status).toBe(201);
  expect((await claim(second, 'other@copydesk.example')).body.error).toBe('setup_token_invalid');
});

test('a failed claim leaves the token valid', async () => {
  await offer();
  const token = await offered();
  await world.pool.query(
    `INSERT INTO identity."user" (name, email, email_verified) VALUES ('Taken', 'first@copydesk.example', false)`,
  );
  expect((await claim(token)).body.error).toBe('email_taken');
  expect((await claim(token, 'other@copydesk.example')).status).toBe(201);
});
