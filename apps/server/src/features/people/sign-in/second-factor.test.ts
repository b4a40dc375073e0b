import { symmetricDecrypt } from 'better-auth/crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { authCall, call, tokenOf } from '../../../../../../tests/support/identity/callers.ts';
import { totpCode } from '../../../../../../tests/support/identity/totp.ts';
import { createWorld, type World } from '../../../../../../tests/support/identity/world.ts';
import { personaPassword } from '../set-up/demo-personas.ts';

let world: World;
let addresses = 0;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const post = (path: string, body: object, cookie?: string) =>
  authCall(world, path, { body, address: `10.2.0.${++addresses}`, ...(cookie ? { cookie } : {}) });
const signIn = (email: string, password: string) => post('/sign-in/email', { email, password });

test('a code is accepted once: at enrolment, at sign-in, and with a session', async () => {
  const password = personaPassword(world.identity, 'staff');
  const first = await signIn('staff@demo.example', password);
  const enabled = await post('/two-factor/enable', { password }, first.cookies);
  const uri: string = enabled.body.totpURI;
  expect(decodeURIComponent(uri)).toContain('Copydesk:staff@demo.example');
  expect(enabled.body.backupCodes).toHaveLength(10);
  const enrolling = await totpCode(uri);
  const enrolled = await post(
    '/two-factor/verify-totp',
    { code: enrolling, trustDevice: false },
    first.cookies,
  );
  expect(enrolled.status).toBe(200);

  const challenge = async () => {
    const answer = await signIn('staff@demo.example', password);
    expect(answer.body).toEqual({ twoFactorRedirect: true, twoFactorMethods: ['totp'] });
    expect((await authCall(world, '/token', { cookie: answer.cookies })).status).toBe(401);
    return answer.cookies;
  };
  const verify = async (cookies: string, code: string) => post('/two-factor/verify-totp', { code }, cookies);

  const replayed = await verify(await challenge(), enrolling);
  expect([replayed.status, replayed.body.code]).toEqual([401, 'CODE_USED']);
  expect(replayed.cookies).not.toContain('session_token=ey');

  const code = await totpCode(uri);
  const accepted = await verify(await challenge(), code);
  expect(accepted.status).toBe(200);
  const token = await tokenOf(world, accepted.cookies);
  const me = await call(world, ['GET', '/api/me'], { authorization: `Bearer ${token}` });
  expect(me.body.data.two_factor_enabled).toBe(true);

  const again = await verify(await challenge(), code);
  expect([again.status, again.body.code]).toEqual([401, 'CODE_USED']);
  expect((await authCall(world, '/token', { cookie: again.cookies })).status).toBe(401);
  expect((await verify(accepted.cookies, code)).status).toBe(401);
  const next = await totpCode(uri);
  const raced = await Promise.all(
    [await challenge(), await challenge()].map((cookie) => verify(cookie, next)),
  );
  expect(raced.map((answer) => answer.status).sort()).toEqual([200, 401]);
});

describe('of an account that has one', () => {
  const GUESS = '/two-factor/verify-totp';
  const PASSWORD = () => personaPassword(world.identity, 'staff-multi');
  let uri: string;
  let cookies: string;
  let enrolling: string;
  const at = (path: string, body: object, cookie: string, address: string) =>
    authCall(world, path, { body, cookie, address });
  const challenge = async () => (await signIn('staff-multi@demo.example', PASSWORD())).cookies;
  const forget = () => world.pool.query('DELETE FROM identity.sign_in_failure');

  beforeEach(async () => {
    await world.pool.query(`DELETE FROM identity.two_factor`);
    await world.pool.query(`UPDATE identity."user" SET two_factor_enabled = false`);
    await world.pool.query('DELETE FROM identity.used_totp_code');
    await forget();
    const first = await signIn('staff-multi@demo.example', PASSWORD());
    const enabled = await post('/two-factor/enable', { password: PASSWORD() }, first.cookies);
    uri = enabled.body.totpURI;
    enrolling = await totpCode(uri);
    const enrolled = await post('/two-factor/verify-totp', { code: enrolling }, first.cookies);
    expect(enrolled.status).toBe(200);
    cookies = enrolled.cookies;
  });

  test('after a used code the next valid one is accepted, in the same sign-in', async () => {
    const waiting = await challenge();
    const used = await post('/two-factor/verify-totp', { code: enrolling }, waiting);
    expect([used.status, used.body.code]).toEqual([401, 'CODE_USED']);
    const good = await post('/two-factor/verify-totp', { code: await totpCode(uri) }, waiting);
    expect(good.status).toBe(200);
    expect(await tokenOf(world, good.cookies)).toMatch(/^ey/);
  });

  test('guesses are counted before they are checked, over sign-ins and sessions together', async () => {
    const address = '192.0.2.77';
    const waiting = [await challenge(), await challenge(), await challenge(), await challenge()];
    await forget();
    // The library allows three at once from one address; that limit is not under test.
    const three = async () => {
      await world.pool.query('DELETE FROM identity.rate_limit');
      return Promise.all(
        [0, 1, 2].map((n) => at(GUESS, { code: '000000' }, n ? cookies : (waiting.pop() ?? ''), address)),
      );
    };
    for (let round = 0; round < 3; round += 1)
      expect((await three()).map(({ status }) => status)).toEqual([401, 401, 401]);
    const last = await three();
    expect(last.map(({ body }) => body.code).sort()).toEqual([
      'INVALID_CODE',
      'TOO_MANY_ATTEMPTS',
      'TOO_MANY_ATTEMPTS',
    ]);
    await world.pool.query('DELETE FROM identity.rate_limit');
    const right = await at('/two-factor/verify-totp', { code: await totpCode(uri) }, cookies, address);
    expect([right.status, right.body.code]).toEqual([429, 'TOO_MANY_ATTEMPTS']);
  });

  test.each([
    ['/two-factor/get-totp-uri', 'totpURI'],
    ['/two-factor/generate-backup-codes', 'backupCodes'],
    ['/two-factor/disable', 'status'],
  ])('%s asks for a code, and not for the password alone', async (path, shown) => {
    const password = PASSWORD();
    const alone = await post(path, { password }, cookies);
    expect([alone.status, alone.body.code]).toEqual([400, 'CODE_REQUIRED']);
    expect(alone.body).not.toHaveProperty(shown);
    const wrong = await post(path, { password, code: '000000' }, cookies);
    expect([wrong.status, wrong.body.code]).toEqual([401, 'INVALID_CODE']);
    const used = await post(path, { password, code: enrolling }, cookies);
    expect([used.status, used.body.code]).toEqual([401, 'CODE_USED']);
    expect((await post(path, { password: 'wrong', code: await totpCode(uri) }, cookies)).status).toBe(400);
    const done = await post(path, { password, code: await totpCode(uri) }, cookies);
    expect(done.status).toBe(200);
    expect(done.body).toHaveProperty(shown);
    const { rows } = await world.pool.query(`SELECT two_factor_enabled AS is_on FROM identity."user"
      WHERE email = 'staff-multi@demo.example'`);
    expect(rows).toEqual([{ is_on: path !== '/two-factor/disable' }]);
  });

  test('a new authenticator cannot be put in its place with the password', async () => {
    const again = await post('/two-factor/enable', { password: PASSWORD() }, cookies);
    expect([again.status, again.body.code]).toEqual([400, 'TOTP_ALREADY_ENABLED']);
  });

  // Runs last, because it changes the password.
  test('a new password needs a code as well', async () => {
    const change = (fields: object) =>
      post(
        '/change-password',
        { currentPassword: PASSWORD(), newPassword: 'another good password', ...fields },
        cookies,
      );
    const alone = await change({});
    expect([alone.status, alone.body.code]).toEqual([400, 'CODE_REQUIRED']);
    const wrong = await change({ code: '000000' });
    expect([wrong.status, wrong.body.code]).toEqual([401, 'INVALID_CODE']);
    expect((await change({ code: await totpCode(uri) })).status).toBe(200);
  });
});

test('a device that claims to be trusted cannot skip the second factor', async () => {
  const { body } = await post('/two-factor/verify-totp', { code: '000000', trustDevice: true });
  expect(body.code).toBe('FIELD_NOT_ALLOWED');
});

describe('codes as people type them', () => {
  const setUp = async (persona: 'not-admin' | 'no-access') => {
    const email = `${persona}@demo.example`;
    const password = personaPassword(world.identity, persona);
    const { cookies } = await signIn(email, password);
    const enable = async () => (await post('/two-factor/enable', { password }, cookies)).body;
    const challenge = async () => (await signIn(email, password)).cookies;
    return { cookies, enable, challenge };
  };
  const shown = (uri: string) => new URL(uri).searchParams.get('secret')?.slice(0, 8);

  test('digits in groups and backup codes without dash or case are accepted, and stored only as hashes', async () => {
    const { cookies, enable, challenge } = await setUp('not-admin');
    const { totpURI: uri, backupCodes } = await enable();
    const grouped = (code: string, by: string) => `  ${code.slice(0, 3)}${by}${code.slice(3)}`;
    const enrolling = await totpCode(uri);
    expect((await post('/two-factor/verify-totp', { code: grouped(enrolling, '-') }, cookies)).status).toBe(
      200,
    );
    const replayed = await post('/two-factor/verify-totp', { code: enrolling }, await challenge());
    expect(replayed.body.code).toBe('CODE_USED');
    const code = await totpCode(uri);
    const accepted = await post('/two-factor/verify-totp', { code: grouped(code, ' ') }, await challenge());
    expect(accepted.status).toBe(200);
    expect((await post('/two-factor/verify-totp', { code }, await challenge())).body.code).toBe('CODE_USED');

    const { rows } = await world.pool.query('SELECT backup_codes FROM identity.two_factor');
    const lists = await Promise.all(
      rows.map((row) =>
        symmetricDecrypt({ key: 'test-secret-0123456789-0123456789-0123456789', data: row.backup_codes }),
      ),
    );
    for (const backup of backupCodes) expect(lists.join()).not.toContain(backup);
    const use = async (backup: string) =>
      (await post('/two-factor/verify-backup-code', { code: backup }, await challenge())).status;
    const stored = JSON.parse(lists.at(-1) ?? '[]')[0];
    const [first, second, third] = backupCodes;
    expect(await use(stored)).toBe(401);
    expect(await use(first.replace('-', '').toUpperCase())).toBe(200);
    expect([await use(first), await use(` ${second} `), await use(third)]).toEqual([401, 200, 200]);
  });

  test('right codes after wrong ones are not refused by rate', async () => {
    const { cookies, enable } = await setUp('no-access');
    const { totpURI: uri } = await enable();
    const address = '10.3.0.1';
    for (let n = 0; n < 5; n += 1)
      await authCall(world, '/two-factor/verify-totp', {
        body: { code: '000000' },
        cookie: cookies,
        address,
      });
    const right = await authCall(world, '/two-factor/verify-totp', {
      body: { code: await totpCode(uri) },
      cookie: cookies,
      address,
    });
    expect(right.status).toBe(200);
  });

  test('of two set-ups the second one ends the first, which says so', async () => {
    const password = personaPassword(world.identity, 'super-2');
    const { cookies } = await signIn('super-2@demo.example', password);
    const enable = async () => (await post('/two-factor/enable', { password }, cookies)).body;
    const [inA, inB] = [await enable(), await enable()];
    const verify = (body: object) => post('/two-factor/verify-totp', body, cookies);
    const refused = await verify({ code: await totpCode(inB.totpURI), setUp: shown(inA.totpURI) });
    expect([refused.status, refused.body.code]).toEqual([409, 'SET_UP_REPLACED']);
    expect((await verify({ code: await totpCode(inB.totpURI), setUp: shown(inB.totpURI) })).status).toBe(200);
  });
});
