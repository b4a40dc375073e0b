import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStatements } from '../../apps/server/src/platform/db/statements.ts';
import type { HostedIdentity, Person } from '../../apps/server/src/platform/identity/identity.ts';
import { acceptServiceTokens } from '../../apps/server/src/platform/identity/service-tokens.ts';
import { call, signInAs } from '../support/identity/callers.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';

// The whole API with an identity service that has no passwords, no set-up and no pages of ours.

let embedded: TestApp;
let hosted: TestApp;
let pool: pg.Pool;
let minutesSinceProof = 0;

/** A hosted service whose tokens are e-mail addresses. */
function createHosted(): HostedIdentity {
  return {
    kind: 'hosted',
    async authenticate(authorization) {
      const email = /^Bearer (\S+)$/.exec(authorization ?? '')?.[1];
      if (!email) return { ok: false, code: 'malformed_token' };
      const { rows } = await pool.query<Row>('SELECT * FROM identity.person WHERE email = $1', [email]);
      return rows[0] ? { ok: true, principal: personOf(rows[0]) } : { ok: false, code: 'invalid_token' };
    },
    forget: () => {},
    watch: () => () => {},
    reauth: { isRecent: (_principal, maxAgeMinutes) => minutesSinceProof < maxAgeMinutes },
    close: async () => {},
  };
}

interface Row {
  id: string;
  name: string;
  email: string;
  admin: boolean;
  super: boolean;
  provider_ids: string[];
}

const personOf = ({ id, name, email, provider_ids: providerAccess, ...flags }: Row): Person => ({
  kind: 'user',
  id,
  sessionId: 'sess_1',
  name,
  email,
  flags: { admin: flags.admin, super: flags.super, providerAccess },
  factors: { fva: [0, -1], issuedAt: new Date(), hasSecondFactor: false, enrolled: [] },
});

beforeAll(async () => {
  embedded = await createTestApp({ scale: 0.02 });
  pool = new pg.Pool({ connectionString: embedded.ownerUrl, max: 2 });
  const identity = acceptServiceTokens(createHosted(), {
    statements: createStatements(pool),
    now: () => new Date(),
  });
  hosted = await createTestApp({ scale: 0.02, identity });
});
afterAll(async () => {
  await hosted.close();
  await pool.end();
  await embedded.close();
});

test('people of the hosted service call the API with its tokens', async () => {
  const authorization = 'Bearer super@demo.example';
  const me = await call(hosted, ['GET', '/api/me'], { authorization });
  expect([me.status, me.body.data.super]).toEqual([200, true]);
  const stranger = await call(hosted, ['GET', '/api/me'], { authorization: 'Bearer stranger@demo.example' });
  expect([stranger.status, stranger.body.error]).toEqual([401, 'invalid_token']);
});

test('its answer about recent authentication counts', async () => {
  const request = { authorization: 'Bearer super@demo.example', body: { email: 'new@demo.example' } };
  minutesSinceProof = 11;
  const late = await call(hosted, ['POST', '/api/users/invitations'], request);
  expect([late.status, late.body.error]).toEqual([403, 'reauthentication_required']);
  minutesSinceProof = 0;
  expect((await call(hosted, ['POST', '/api/users/invitations'], request)).status).toBe(201);
});

test('service tokens are accepted beside it', async () => {
  const { authorization } = await signInAs(embedded, 'super');
  const providers = await call(embedded, ['GET', '/api/providers'], { authorization });
  const body = {
    name: 'Report',
    scopes: ['directory:read'],
    provider_ids: [providers.body.data[0].id],
    expires_in_days: 1,
  };
  const created = await call(embedded, ['POST', '/api/service-tokens'], { authorization, body });
  const bot = { authorization: created.body.data.token as string };
  expect((await call(hosted, ['GET', '/api/providers'], bot)).status).toBe(200);
  const other = await call(hosted, ['GET', '/api/providers'], { authorization: `Bot_${'x'.repeat(43)}` });
  expect([other.status, other.body.error]).toEqual([401, 'invalid_service_token']);
});

test('signing in, set-up and proofs are not found', async () => {
  const authorization = 'Bearer super@demo.example';
  const password = 'correct horse battery staple';
  const calls: [string, object][] = [
    ['/api/demo/sign-in', { persona: 'super' }],
    ['/api/reauthenticate', { password }],
    ['/api/setup', { token: 'token', email: 'a@b.example', name: 'A', password }],
    ['/api/invitations/accept', { token: 'token', name: 'A', password }],
    ['/api/auth/sign-in/email', { email: 'super@demo.example', password }],
  ];
  for (const [url, body] of calls) {
    const answer = await call(hosted, ['POST', url], { authorization, body });
    expect([url, answer.status, answer.body.error]).toEqual([url, 404, 'not_found']);
  }
});

test('the configuration names the implementation that the console loads', async () => {
  const { body } = await call(hosted, ['GET', '/api/config']);
  expect(body.data).toMatchObject({ identity: 'hosted', setup_required: false });
  expect((await call(embedded, ['GET', '/api/config'])).body.data.identity).toBe('embedded');
});
