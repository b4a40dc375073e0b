import { afterAll, beforeAll, expect, test } from 'vitest';
import { authCall, call, tokenOf } from '../../../../../tests/support/identity/callers.ts';
import { totpCode } from '../../../../../tests/support/identity/totp.ts';
import { createWorld, type World } from '../../../../../tests/support/identity/world.ts';
import { personaPassword } from './demo-personas.ts';

let world: World;
let addresses = 0;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const post = (path: string, body: object, cookie?: string) =>
  authCall(world, path, { body, address: `10.2.0.${++addresses}`, ...(cookie ? { cookie } : {}) });
const signIn = (email: string, password: string) => post('/sign-in/email', { email, password });

test('a code is taken once: at enrolment, at sign-in, and with a session', async () => {
  const password = personaPassword(world.identity, 'staff');
  const first = await signIn('staff@demo.example', password);
  const enabled = await post('/two-factor/enable', { password }, first.cookies);
  const uri: string = enabled.body.totpURI;
  expect(decodeURIComponent(uri)).toContain('Copydesk:staff@demo.example');
  expect(enabled.body.backupCodes).toHaveLength(10);
  const enrolling = totpCode(uri, -1);
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

  const code = totpCode(uri);
  const accepted = await verify(await challenge(), code);
  expect(accepted.status).toBe(200);
  const token = await tokenOf(world, accepted.cookies);
  const me = await call(world, ['GET', '/api/me'], { authorization: `Bearer ${token}` });
  expect(me.body.data.two_factor_enabled).toBe(true);

  const again = await verify(await challenge(), code);
  expect([again.status, again.body.code]).toEqual([401, 'CODE_USED']);
  expect((await authCall(world, '/token', { cookie: again.cookies })).status).toBe(401);
  expect((await verify(accepted.cookies, code)).status).toBe(401);
  const next = totpCode(uri, 1);
  const raced = await Promise.all(
    [await challenge(), await challenge()].map((cookie) => verify(cookie, next)),
  );
  expect(raced.map((answer) => answer.status).sort()).toEqual([200, 401]);
});

test('the second factor cannot be skipped by a device that calls itself trusted', async () => {
  const { body } = await post('/two-factor/verify-totp', { code: '000000', trustDevice: true });
  expect(body.code).toBe('FIELD_NOT_ALLOWED');
});
