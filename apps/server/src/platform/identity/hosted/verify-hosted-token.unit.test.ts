import { createHmac } from 'node:crypto';
import { createTokenSigner } from '@copydesk/simulators/clerk';
import { pino } from 'pino';
import { beforeEach, expect, test } from 'vitest';
import { createHostedTokenVerifier } from './verify-hosted-token.ts';

const ISSUER = 'https://clerk.console.example';
const ORIGIN = 'https://console.example';
const signer = createTokenSigner();
const logged: string[] = [];
const log = pino({ level: 'warn' }, { write: (line) => void logged.push(line) });
const clock = { aheadMs: 0 };
const verify = createHostedTokenVerifier(
  { jwtKey: signer.publicKey, issuer: ISSUER, authorizedParties: [ORIGIN, 'https://second.example'] },
  { log, now: () => new Date(Date.now() + clock.aheadMs) },
);
beforeEach(() => {
  logged.length = 0;
  clock.aheadMs = 0;
});

const seconds = () => Math.floor(Date.now() / 1_000);
const claims = (given: Record<string, unknown> = {}) => ({
  azp: ORIGIN,
  exp: seconds() + 60,
  fva: [3, -1],
  iat: seconds(),
  iss: ISSUER,
  jti: 'jti_1',
  nbf: seconds() - 10,
  sid: 'sess_1',
  sts: 'active',
  sub: 'user_1',
  v: 2,
  ...given,
});
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

test('a token of either version counts, with its session and the ages of its factors', async () => {
  const two = await verify(signer.sign(claims({ o: { id: 'org_1', rol: 'member' }, pla: 'u:pro' })));
  expect(two).toMatchObject({ ok: true, token: { userId: 'user_1', sessionId: 'sess_1', fva: [3, -1] } });
  const one = await verify(signer.sign(claims({ v: undefined, org_id: 'org_1', fva: undefined })));
  // Without ages no act that needs a recent proof is allowed.
  expect(one).toMatchObject({ ok: true, token: { fva: [-1, -1] } });
  expect((await verify(signer.sign(claims({ azp: 'https://second.example', sts: undefined })))).ok).toBe(
    true,
  );
});

const LATE = 'token_expired';
const INVALID = 'invalid_token';
const MALFORMED = 'malformed_token';

test.each<[string, () => string, string]>([
  ['of another issuer', () => signer.sign(claims({ iss: 'https://evil.example' })), INVALID],
  ['of an issuer with a slash', () => signer.sign(claims({ iss: `${ISSUER}/` })), INVALID],
  ['without an issuer', () => signer.sign(claims({ iss: undefined })), INVALID],
  ['of a pending session', () => signer.sign(claims({ sts: 'pending' })), INVALID],
  ['of a session with another status', () => signer.sign(claims({ sts: 'revoked' })), INVALID],
  ['for another page', () => signer.sign(claims({ azp: 'https://evil.example' })), INVALID],
  ['without a page', () => signer.sign(claims({ azp: undefined })), INVALID],
  ['with an empty page', () => signer.sign(claims({ azp: '' })), INVALID],
  [
    'of an administrator who acts as the person',
    () => signer.sign(claims({ act: { sub: 'user_2' } })),
    INVALID,
  ],
  ['without a session, as those of templates', () => signer.sign(claims({ sid: undefined })), INVALID],
  ['without a subject', () => signer.sign(claims({ sub: undefined })), INVALID],
  ['of a machine', () => signer.sign(claims({ sub: 'mch_1' })), INVALID],
  ['of a version that is unknown', () => signer.sign(claims({ v: 3 })), INVALID],
  ['that lives for two days', () => signer.sign(claims({ exp: seconds() + 172_800 })), INVALID],
  ['that expired', () => signer.sign(claims({ exp: seconds() - 6, iat: seconds() - 66 })), LATE],
  ['that begins later', () => signer.sign(claims({ nbf: seconds() + 30 })), INVALID],
  ['that was issued later', () => signer.sign(claims({ iat: seconds() + 30 })), INVALID],
  ['of another key', () => createTokenSigner().sign(claims()), INVALID],
  ['of another type', () => signer.sign(claims(), { typ: 'at+jwt' }), INVALID],
  ['without a type', () => signer.sign(claims(), { typ: undefined }), INVALID],
  ['of another algorithm', () => signer.sign(claims(), { alg: 'RS512' }), INVALID],
  ['without an algorithm', () => `${encode({ alg: 'none', typ: 'JWT' })}.${encode(claims())}.`, INVALID],
  ['signed with the public key as a secret', withPublicKeyAsSecret, INVALID],
  ['with changed claims', withChangedClaims, INVALID],
  ['that is text', () => 'user_1', MALFORMED],
  ['that is empty', () => '', MALFORMED],
  ['that is long', () => signer.sign(claims({ metadata: 'x'.repeat(5_000) })), MALFORMED],
])('a token %s is refused', async (_what, make, code) => {
  expect(await verify(make())).toEqual({ ok: false, code });
});

function withPublicKeyAsSecret(): string {
  const text = `${encode({ alg: 'HS256', kid: 'ins_simulated', typ: 'JWT' })}.${encode(claims())}`;
  return `${text}.${createHmac('sha256', signer.publicKey).update(text).digest('base64url')}`;
}

function withChangedClaims(): string {
  const [head, , signature] = signer.sign(claims()).split('.');
  return `${head}.${encode(claims({ sub: 'user_2' }))}.${signature}`;
}

test('a token that was accepted is refused when it has expired', async () => {
  const token = signer.sign(claims());
  expect((await verify(token)).ok).toBe(true);
  clock.aheadMs = 64_000;
  expect((await verify(token)).ok).toBe(true);
  clock.aheadMs = 66_000;
  expect(await verify(token)).toEqual({ ok: false, code: LATE });
  expect(await verify(signer.sign(claims({ jti: 'jti_2' })))).toEqual({ ok: false, code: LATE });
});

test('the log says why a genuine token was refused, and does not have it', async () => {
  const token = signer.sign(claims({ act: { sub: 'user_2' } }));
  await verify(token);
  expect(logged.join('')).toContain('"problem":"impersonation"');
  expect(logged.join('')).not.toContain(token.slice(-40));
});
