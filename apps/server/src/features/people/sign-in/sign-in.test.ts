import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { authCall, signInAs } from '../../../../../../tests/support/identity/callers.ts';
import { createWorld, type World } from '../../../../../../tests/support/identity/world.ts';
import { personaPassword } from '../set-up/demo-personas.ts';

let world: World;
let addresses = 0;
beforeAll(async () => {
  world = await createWorld({ hasMail: true });
});
afterAll(() => world.close());
beforeEach(() => {
  world.clock.offsetMs = 0;
});

/** Each call uses another address, because the limit by address is not under test. */
const fromElsewhere = () => `10.0.${Math.floor(++addresses / 250)}.${addresses % 250}`;
const post = (path: string, body: object, cookie?: string) =>
  authCall(world, path, { body, address: fromElsewhere(), ...(cookie ? { cookie } : {}) });
const signIn = (email: string, password: string) => post('/sign-in/email', { email, password });

describe('the throttle', () => {
  const attempt = (email: string, address: string, password = 'wrong password') =>
    authCall(world, '/sign-in/email', { body: { email, password }, address });
  const statuses = async (times: number, next: () => Promise<{ status: number }>) => {
    const answers = [];
    for (let n = 0; n < times; n += 1) answers.push((await next()).status);
    return answers;
  };

  test('locks an account for a network after ten attempts, the right password included', async () => {
    const email = 'staff-multi@demo.example';
    const right = personaPassword(world.identity, 'staff-multi');
    expect(await statuses(11, () => attempt(email, '192.0.2.1'))).toEqual([...Array(10).fill(401), 429]);
    const locked = await attempt('Staff-Multi@demo.example', '192.0.2.1', right);
    expect([locked.status, locked.body.code]).toEqual([429, 'TOO_MANY_ATTEMPTS']);
    expect(Number(locked.headers['retry-after'])).toBeGreaterThan(890);

    world.clock.offsetMs = 15 * 60_000 - 5_000;
    expect((await attempt(email, '192.0.2.1', right)).status).toBe(429);
    world.clock.offsetMs = 15 * 60_000 + 5_000;
    expect((await attempt(email, '192.0.2.1', right)).status).toBe(200);
  });

  test('never locks a person out because of strangers: the wait is five seconds at most', async () => {
    const email = 'no-access@demo.example';
    const right = personaPassword(world.identity, 'no-access');
    world.waits.length = 0;
    for (let network = 0; network < 5; network += 1)
      await statuses(10, () => attempt(email, `198.51.100.${network}`));
    expect(Math.max(...world.waits)).toBe(5_000);
    expect(world.waits.slice(0, 6)).toEqual([1_000, 2_000, 3_000, 4_000, 5_000, 5_000]);
    expect((await attempt(email, '203.0.113.7', right)).status).toBe(200);
    expect(world.waits.at(-1)).toBe(5_000);
    world.waits.length = 0;
    expect((await attempt('staff@demo.example', '203.0.113.8', 'wrong')).status).toBe(401);
    expect(world.waits).toEqual([]);
  });

  test('counts an IPv6 network as one, and an IPv4-mapped IPv6 address as its IPv4 address', async () => {
    const email = 'v6@demo.example';
    let host = 0;
    expect(await statuses(11, () => attempt(email, `2001:db8:1:2::${(++host).toString(16)}`))).toEqual([
      ...Array(10).fill(401),
      429,
    ]);
    expect((await attempt(email, '2001:db8:1:3::1')).status).toBe(401);
    expect(await statuses(9, () => attempt(email, '::ffff:192.0.2.50'))).toEqual(Array(9).fill(401));
    expect((await attempt(email, '192.0.2.50')).status).toBe(401);
    expect((await attempt(email, '192.0.2.50')).status).toBe(429);
  });

  test('a right password clears earlier wrong ones', async () => {
    const right = personaPassword(world.identity, 'staff');
    for (let round = 0; round < 2; round += 1) {
      expect(await statuses(9, () => attempt('staff@demo.example', '192.0.2.3'))).toEqual(Array(9).fill(401));
      expect((await attempt('staff@demo.example', '192.0.2.3', right)).status).toBe(200);
    }
  });

  test('does not reveal which addresses have users', async () => {
    const answers = [];
    for (let n = 0; n < 11; n += 1) answers.push(await attempt('nobody@demo.example', '192.0.2.4'));
    expect(answers.map((answer) => answer.status)).toEqual([...Array(10).fill(401), 429]);
    const known = await attempt('no-access@demo.example', '192.0.2.4');
    expect(known.body).toEqual(answers[0]?.body);
  });

  test('lets no more through when they arrive at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 18 }, () => attempt('not-admin@demo.example', '192.0.2.5')),
    );
    expect(answers.filter((answer) => answer.status === 401)).toHaveLength(10);
    expect(answers.filter((answer) => answer.status === 429)).toHaveLength(8);
  });
});

describe('the calls of the library', () => {
  test('set no flag, whatever the request contains', async () => {
    const { cookie, userId } = await signInAs(world, 'no-access');
    for (const extra of [
      { super: true },
      { admin: true },
      { provider_access: [] },
      { id: 'x' },
      { image: 'x' },
    ]) {
      const { status, body } = await post('/update-user', { name: 'Still me', ...extra }, cookie);
      expect([status, body.code]).toEqual([400, 'FIELD_NOT_ALLOWED']);
    }
    const { rows } = await world.pool.query('SELECT super FROM identity.user_access WHERE user_id = $1', [
      userId,
    ]);
    expect(rows).toEqual([{ super: false }]);
    expect((await post('/update-user', { name: 'Renamed' }, cookie)).status).toBe(200);
  });

  test('are closed except those that the console uses', async () => {
    const { cookie } = await signInAs(world, 'super');
    const person = { name: 'Eve', email: 'eve@demo.example', password: 'a long password' };
    for (const path of [
      '/sign-up/email',
      '/delete-user',
      '//delete-user',
      '/change-email',
      '/%64elete-user',
      '/error',
    ])
      expect([path, (await post(path, person, cookie)).status]).toEqual([path, 404]);
  });

  test('accept a cookie from the console only', async () => {
    const { cookie } = await signInAs(world, 'super');
    const from = (headers: Record<string, string>) =>
      authCall(world, '/sign-out', { cookie, body: {}, headers, address: fromElsewhere() });
    expect((await from({ origin: 'https://evil.test' })).status).toBe(403);
    expect((await from({ origin: 'http://localhost:3001' })).status).toBe(403);
    expect((await from({})).status).toBe(200);
  });

  test.each([
    ['/sign-in/email', '{"email":"a\\u0000@b.example","password":"\\u0000"}'],
    ['/reset-password', '{"token":"\\u0000","newPassword":"a long password"}'],
    ['/reset-password?token=%00', '{"newPassword":"a long password"}'],
    ['/sign-in/email', '{'],
    ['/sign-in/email', 'null'],
  ])('refuse anything but text and JSON: %s %s', async (path, payload) => {
    const response = await world.app.inject({
      method: 'POST',
      url: `/api/auth${path}`,
      remoteAddress: fromElsewhere(),
      headers: { 'content-type': 'application/json' },
      payload,
    });
    expect(response.statusCode).toBe(400);
  });

  test('use the address of the socket, not one that a client claims', async () => {
    const headers = (n: number) => ({
      'x-copydesk-client-address': `10.9.9.${n}`,
      'x-forwarded-for': `10.8.8.${n}`,
    });
    const answers = [];
    for (let n = 0; n < 5; n += 1)
      answers.push(
        await authCall(world, '/request-password-reset', {
          body: { email: 'x@y.example' },
          address: '192.0.2.7',
          headers: headers(n),
        }),
      );
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 429, 429]);
  });
});

test('one address cannot keep the service busy with tokens', async () => {
  const ask = async () => (await authCall(world, '/token', { address: '192.0.2.99' })).status;
  const answers = new Map<number, number>();
  for (let asked = 0; asked < 605; asked += 1) {
    const status = await ask();
    answers.set(status, (answers.get(status) ?? 0) + 1);
  }
  expect(Object.fromEntries(answers)).toEqual({ 401: 600, 429: 5 });
});

describe('a new password', () => {
  const resetTokenOf = async (email: string) => {
    const before = world.mails.length;
    await post('/request-password-reset', { email });
    await expect.poll(() => world.mails.length).toBe(before + 1);
    return /reset\?token=(\S+)/.exec(world.mails.at(-1)?.text ?? '')?.[1] ?? '';
  };
  const reset = (token: string, newPassword: string) => post('/reset-password', { token, newPassword });

  test('cannot be chosen with read access to the database', async () => {
    const token = await resetTokenOf('staff@demo.example');
    const { rows } = await world.pool.query('SELECT identifier, value FROM identity.verification');
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(token);
    for (const { identifier } of rows)
      expect((await reset(identifier.replace('reset-password:', ''), 'a stolen password')).status).toBe(400);
  });

  test('ends every other link to choose one, however it was set', async () => {
    const [first, second] = [
      await resetTokenOf('staff@demo.example'),
      await resetTokenOf('staff@demo.example'),
    ];
    expect((await reset(second, 'a second long password')).status).toBe(200);
    expect((await reset(first, 'a first long password')).status).toBe(400);

    const third = await resetTokenOf('staff@demo.example');
    const { cookies } = await signIn('staff@demo.example', 'a second long password');
    const changed = await post(
      '/change-password',
      { currentPassword: 'a second long password', newPassword: 'a fourth long password' },
      cookies,
    );
    expect(changed.status).toBe(200);
    expect((await reset(third, 'a third long password')).status).toBe(400);
    expect((await signIn('staff@demo.example', 'a fourth long password')).status).toBe(200);
  });

  test('unlocks the network that it was chosen from', async () => {
    const email = 'staff-multi@demo.example';
    const address = '192.0.2.9';
    for (let n = 0; n < 10; n += 1)
      await authCall(world, '/sign-in/email', { body: { email, password: 'forgotten' }, address });
    const token = await resetTokenOf(email);
    const body = { token, newPassword: 'a remembered password' };
    expect((await authCall(world, '/reset-password', { body, address })).status).toBe(200);
    const back = await authCall(world, '/sign-in/email', {
      body: { email, password: 'a remembered password' },
      address,
    });
    expect(back.status).toBe(200);
  });

  test('is none that is guessed first or is the own address, and the link stays', async () => {
    const token = await resetTokenOf('staff-multi@demo.example');
    for (const chosen of ['qwertyuiop12', 'staff-multi@demo.example']) {
      const refused = await reset(token, chosen);
      expect([refused.status, refused.body.code]).toEqual([400, 'WEAK_PASSWORD']);
    }
    expect((await reset(token, 'a password of four words')).status).toBe(200);
    const { cookies } = await signIn('staff-multi@demo.example', 'a password of four words');
    const change = { currentPassword: 'a password of four words', newPassword: 'iloveyouiloveyou' };
    expect((await post('/change-password', change, cookies)).body.code).toBe('WEAK_PASSWORD');
  });

  test('is mailed to one person five times in a quarter of an hour, from however many networks', async () => {
    const email = 'no-access@demo.example';
    world.mails.length = 0;
    const ask = (n: number) =>
      authCall(world, '/request-password-reset', { body: { email }, address: `192.0.2.${100 + n}` });
    const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => ask(n)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const stopped = () => world.logged.filter((line) => line.includes('got enough of them')).length;
    await expect.poll(stopped).toBe(25);
    await expect.poll(() => world.mails.map(({ to }) => to)).toEqual(Array(5).fill(email));
    // Another person gets theirs meanwhile.
    await resetTokenOf('not-admin@demo.example');
  });

  test('is chosen by a mailed link that works once and ends the sessions', async () => {
    const { authorization } = await signInAs(world, 'super');
    world.mails.length = 0;
    const asked = await post('/request-password-reset', { email: 'super@demo.example' });
    const unknown = await post('/request-password-reset', { email: 'nobody@demo.example' });
    expect(asked.body).toEqual(unknown.body);
    await expect.poll(() => world.mails.length).toBe(1);
    const link = /http:\/\/localhost:3000\/sign-in#\/reset\?token=(\S+)/.exec(world.mails[0]?.text ?? '');
    const token = link?.[1];
    expect((await post('/reset-password', { token, newPassword: 'short' })).status).toBe(400);
    expect((await post('/reset-password', { token, newPassword: 'a new long password' })).status).toBe(200);
    expect((await post('/reset-password', { token, newPassword: 'another long password' })).status).toBe(400);
    expect(await world.identity.authenticate(authorization)).toMatchObject({ code: 'invalid_token' });
    expect((await signIn('super@demo.example', 'a new long password')).status).toBe(200);
    expect(world.logged.join('')).not.toContain(token);
  });
});

test('two installations on one host have cookies of their own', async () => {
  const other = await createWorld({ identity: { secret: 'another-secret-0123456789-0123456789-012345' } });
  const nameOf = async (installation: World) => {
    const { authorization: _token, ...rest } = await signInAs(installation, 'not-admin');
    return JSON.stringify(rest).match(/copydesk-[0-9a-f]{8}\.session_token/)?.[0];
  };
  const names = [await nameOf(world), await nameOf(other)];
  expect(new Set(names).size).toBe(2);
  expect(names).not.toContain(undefined);
  await other.close();
});

test('a password stored by an earlier version is hashed again at the next sign-in', async () => {
  const earlier = await createWorld({
    identity: {
      passwordHashes: {
        hash: async (password) => `new:${password}`,
        verify: async ({ hash, password }) => hash.slice(4) === password,
        isOutdated: (hash) => hash.startsWith('old:'),
      },
    },
  });
  const email = 'super@demo.example';
  const password = personaPassword(earlier.identity, 'super');
  await earlier.pool.query(`UPDATE identity.account SET password = replace(password, 'new:', 'old:')`);
  const hashes = async () => {
    const { rows } = await earlier.pool.query<{ password: string; own: boolean }>(
      `SELECT c.password, u.email = $1 AS own FROM identity.account c JOIN identity."user" u ON u.id = c.user_id`,
      [email],
    );
    const kinds = (isOwn: boolean) =>
      new Set(rows.filter(({ own }) => own === isOwn).map((row) => row.password.slice(0, 4)));
    return [kinds(true), kinds(false)];
  };
  const attempt = async (tried: string) =>
    (await authCall(earlier, '/sign-in/email', { body: { email, password: tried } })).status;
  expect(await attempt('a wrong password')).toBe(401);
  expect(await hashes()).toEqual([new Set(['old:']), new Set(['old:'])]);
  expect([await attempt(password), await attempt(password)]).toEqual([200, 200]);
  expect(await hashes()).toEqual([new Set(['new:']), new Set(['old:'])]);
  await earlier.close();
});

test('under a public https address the cookie is for that origin only', async () => {
  const origin = 'https://console.example.com';
  const secure = await createWorld({ identity: { publicUrl: `${origin}/` } });
  const body = { email: 'super@demo.example', password: personaPassword(secure.identity, 'super') };
  const ask = (from: string) => authCall(secure, '/sign-in/email', { body, headers: { origin: from } });
  const { status, headers } = await ask(origin);
  expect(status).toBe(200);
  expect(String(headers['set-cookie'])).toMatch(
    /^__Secure-copydesk-[0-9a-f]{8}\.session_token=[^;]+; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
  );
  expect(await signInAs(secure, 'super')).toMatchObject({ userId: expect.any(String) });
  const withCookie = (from: string) =>
    authCall(secure, '/sign-out', {
      body: {},
      cookie: String(headers['set-cookie']).split(';')[0] ?? '',
      headers: { origin: from },
    });
  expect((await withCookie('http://localhost:3000')).status).toBe(403);
  expect((await withCookie(origin)).status).toBe(200);
  await secure.close();
});
