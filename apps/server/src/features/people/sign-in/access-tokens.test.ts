import { generateKeyPairSync } from 'node:crypto';
import { exportJWK, importJWK, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { authCall, call, signInAs, tokenOf } from '../../../../../../tests/support/identity/callers.ts';
import { createWorld, type World } from '../../../../../../tests/support/identity/world.ts';

let world: World;
let staff: Awaited<ReturnType<typeof signInAs>>;
beforeAll(async () => {
  world = await createWorld();
  staff = await signInAs(world, 'staff');
});
afterAll(() => world.close());
beforeEach(() => {
  world.clock.offsetMs = 0;
});

const verdict = async (authorization: string | undefined) => {
  const result = await world.identity.authenticate(authorization);
  return result.ok ? 'ok' : result.code;
};
const bearer = (token: string) => verdict(`Bearer ${token}`);

/** Our newest signing key, opened the same way as in the library. */
async function ownKey() {
  const { rows } = await world.pool.query('SELECT id, public_key, private_key FROM identity.jwks');
  const { symmetricDecrypt } = await import('better-auth/crypto');
  const key = 'test-secret-0123456789-0123456789-0123456789';
  const jwk = JSON.parse(await symmetricDecrypt({ key, data: JSON.parse(rows[0].private_key) }));
  return {
    kid: rows[0].id as string,
    publicKey: rows[0].public_key as string,
    privateKey: await importJWK(jwk, 'EdDSA'),
  };
}

const nowS = () => Math.floor(Date.now() / 1000);
const claims = () => ({ sub: staff.userId, sid: staff.sessionId, fva: [0, -1] });
interface Over {
  iss?: string;
  aud?: string;
  exp?: number;
  nbf?: number;
  kid?: string;
  drop?: string;
}

/** A token with one difference from those that we issue. */
const sign =
  ({ kid, drop, ...over }: Over) =>
  async () => {
    const own = await ownKey();
    const body: Record<string, unknown> = {
      ...claims(),
      iss: 'copydesk',
      aud: 'copydesk',
      exp: nowS() + 300,
      iat: nowS(),
      ...over,
    };
    delete body[drop ?? ''];
    return new SignJWT(body).setProtectedHeader({ alg: 'EdDSA', kid: kid ?? own.kid }).sign(own.privateKey);
  };

describe('an access token', () => {
  test('of a signed-in person is accepted, with flags from the database', async () => {
    const result = await world.identity.authenticate(staff.authorization);
    expect(result).toMatchObject({
      ok: true,
      principal: {
        kind: 'user',
        email: 'staff@demo.example',
        flags: { admin: true, super: false, providerAccess: ['00000000-0000-4000-8000-000000000001'] },
      },
    });
  });

  test('that we sign by hand the same way is accepted, so that the refusals below mean something', async () => {
    expect(await bearer(await sign({})())).toBe('ok');
  });

  test.each([
    ['wrong issuer', sign({ iss: 'https://evil.test' }), 'invalid_token'],
    ['wrong audience', sign({ aud: 'other' }), 'invalid_token'],
    ['expired', sign({ exp: nowS() - 30 }), 'token_expired'],
    ['not valid yet', sign({ nbf: nowS() + 120 }), 'invalid_token'],
    ['without exp', sign({ drop: 'exp' }), 'invalid_token'],
    ['without sub', sign({ drop: 'sub' }), 'invalid_token'],
    ['without sid', sign({ drop: 'sid' }), 'invalid_token'],
    ['without fva', sign({ drop: 'fva' }), 'invalid_token'],
    ['unknown key id', sign({ kid: '11111111-1111-4111-8111-111111111111' }), 'invalid_token'],
  ])('%s: refused', async (_name, make, code) => {
    expect(await bearer(await make())).toBe(code);
  });

  test('unsigned, or signed with our public key as an HMAC secret: refused', async () => {
    const unsigned = new UnsecuredJWT(claims()).setIssuer('copydesk').setAudience('copydesk');
    expect(await bearer(unsigned.setExpirationTime('5m').encode())).toMatch(/invalid_token|malformed_token/);
    const { kid, publicKey } = await ownKey();
    const confused = new SignJWT(claims()).setProtectedHeader({ alg: 'HS256', kid });
    const secret = Buffer.from(publicKey);
    expect(
      await bearer(
        await confused.setIssuer('copydesk').setAudience('copydesk').setExpirationTime('5m').sign(secret),
      ),
    ).toBe('invalid_token');
  });

  test('signed with a foreign key under our key id, or with the key in its header: refused', async () => {
    const { kid } = await ownKey();
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const jwk = await exportJWK(publicKey);
    for (const header of [{ alg: 'EdDSA', kid }, { alg: 'EdDSA', jwk }, { alg: 'EdDSA' }]) {
      const forged = new SignJWT(claims()).setProtectedHeader(header);
      const token = await forged
        .setIssuer('copydesk')
        .setAudience('copydesk')
        .setExpirationTime('5m')
        .sign(privateKey);
      expect(await bearer(token)).toBe('invalid_token');
    }
  });

  test('tampered with: refused', async () => {
    const [header, , signature] = staff.token.split('.');
    const payload = Buffer.from(
      JSON.stringify({ ...claims(), iss: 'copydesk', aud: 'copydesk', exp: nowS() + 900 }),
    ).toString('base64url');
    expect(await bearer(`${header}.${payload}.${signature}`)).toBe('invalid_token');
  });

  test.each([
    [undefined, 'missing_token'],
    ['', 'missing_token'],
    ['Bearer', 'malformed_token'],
    ['Bearer a b', 'malformed_token'],
    ['Bearer garbage', 'malformed_token'],
    ['Bearer a.b.c', 'malformed_token'],
    [`Bearer ${'x'.repeat(5000)}`, 'malformed_token'],
    ['Basic YWRtaW46YWRtaW4=', 'malformed_token'],
  ])('%s: %s', async (header, code) => {
    expect(await verdict(header)).toBe(code);
  });

  test('is refused once its five minutes are over, also when it passed before', async () => {
    expect(await verdict(staff.authorization)).toBe('ok');
    world.clock.offsetMs = 4 * 60_000;
    expect(await verdict(staff.authorization)).toBe('ok');
    world.clock.offsetMs = 5 * 60_000 + 10_000;
    expect(await verdict(staff.authorization)).toBe('token_expired');
  });

  test('of a key made after the keys were read is accepted', async () => {
    expect(await verdict(staff.authorization)).toBe('ok');
    await world.pool.query("UPDATE identity.jwks SET expires_at = now() - interval '1 minute'");
    const token = await tokenOf(world, staff.cookie);
    world.clock.offsetMs = 6_000;
    expect(await bearer(token)).toBe('ok');
    expect(await verdict(staff.authorization)).toBe('ok');
  });
});

describe('a session', () => {
  test('that was signed out ends its tokens at once', async () => {
    const signedIn = await signInAs(world, 'no-access');
    expect(await verdict(signedIn.authorization)).toBe('ok');
    const { status } = await authCall(world, '/sign-out', { cookie: signedIn.cookie, body: {} });
    expect(status).toBe(200);
    expect(await verdict(signedIn.authorization)).toBe('invalid_token');
  });

  test('that ended in another process is refused at once on a fresh read, else when the event arrives', async () => {
    const signedIn = await signInAs(world, 'no-access');
    expect(await verdict(signedIn.authorization)).toBe('ok');
    await world.pool.query('DELETE FROM identity.session WHERE id = $1', [signedIn.sessionId]);
    expect(await world.identity.authenticate(signedIn.authorization, { fresh: true })).toEqual({
      ok: false,
      code: 'invalid_token',
    });
    await expect.poll(() => verdict(signedIn.authorization)).toBe('invalid_token');
  });

  test('that expired is refused while its token is valid', async () => {
    const signedIn = await signInAs(world, 'no-access');
    await world.pool.query(
      "UPDATE identity.session SET expires_at = now() + interval '1 minute' WHERE id = $1",
      [signedIn.sessionId],
    );
    expect(await verdict(signedIn.authorization)).toBe('ok');
    world.clock.offsetMs = 61_000;
    expect(await verdict(signedIn.authorization)).toBe('invalid_token');
  });

  test('lasts 12 hours at most, remembered or not', async () => {
    const { rows } = await world.pool.query(
      'SELECT max(extract(epoch FROM expires_at - created_at)) AS longest FROM identity.session',
    );
    expect(Number(rows[0].longest)).toBeLessThanOrEqual(12 * 3600 + 1);
  });
});

test('flags removed in another process are seen at once on a fresh read, else when the event arrives', async () => {
  const multi = await signInAs(world, 'staff-multi');
  const access = async (fresh: boolean) => {
    const result = await world.identity.authenticate(multi.authorization, { fresh });
    return result.ok ? result.principal.flags.providerAccess.length : result.code;
  };
  expect(await access(false)).toBe(3);
  await world.pool.query("UPDATE identity.user_access SET provider_ids = '{}' WHERE user_id = $1", [
    multi.userId,
  ]);
  expect(await access(true)).toBe(0);
  await expect.poll(() => access(false)).toBe(0);
});

test('the API never takes a cookie', async () => {
  const { cookie } = await signInAs(world, 'super');
  const { status, body } = await call(world, ['GET', '/api/me'], { headers: { cookie } });
  expect([status, body.error]).toEqual([401, 'missing_token']);
});

test('an unreachable database is an error, not a refusal', async () => {
  const broken = await createWorld({ personas: false });
  await broken.close();
  await expect(broken.identity.authenticate(staff.authorization)).rejects.toThrow();
});
