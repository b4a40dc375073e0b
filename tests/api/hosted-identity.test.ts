import { afterAll, beforeAll, expect, test } from 'vitest';
import { call } from '../support/identity/callers.ts';
import { createHostedWorld, type HostedWorld } from '../support/identity/hosted-world.ts';

// The whole API with an identity service that has no passwords, no set-up and no pages of ours.

let world: HostedWorld;
let superAdmin: Awaited<ReturnType<HostedWorld['person']>>;

beforeAll(async () => {
  world = await createHostedWorld();
  superAdmin = await world.person({ super: true }, { code: '123456' });
});
afterAll(() => world?.close());

const asSuper = () => world.authorize(superAdmin.session.id);

test('people of the hosted service call the API with its tokens', async () => {
  expect([superAdmin.me.status, superAdmin.me.body.data]).toMatchObject([
    200,
    { super: true, reauthenticates_by: 'identity_service', two_factor_enabled: true },
  ]);
  const stranger = await world.as('Bearer stranger', ['GET', '/api/me']);
  expect([stranger.status, stranger.body.error]).toEqual([401, 'malformed_token']);
  expect((await call(world.product, ['GET', '/api/me'])).body.error).toBe('missing_token');
});

test('an act that needs a recent proof needs one of the second factor, according to the token', async () => {
  const session = world.instance.state.sessions.get(superAdmin.session.id);
  if (!session) throw new Error('it was opened above');
  const invite = (email: string) => world.as(asSuper(), ['POST', '/api/users/invitations'], { email });
  session.secondFactorAt = Date.now() - 11 * 60_000;
  const late = await invite('late@people.example');
  expect([late.status, late.body.error]).toEqual([403, 'reauthentication_required']);
  session.secondFactorAt = null;
  expect((await invite('late@people.example')).body.error).toBe('reauthentication_required');
  session.secondFactorAt = Date.now();
  expect((await invite('in-time@people.example')).status).toBe(201);
});

test('staff need a second factor at the service for payout addresses and referrers', async () => {
  const [trader] = await world.owner<{ id: string; provider_id: string }>(
    'SELECT t.id, p.provider_id FROM trader t JOIN trader_provider p ON p.trader_id = t.id ORDER BY t.id LIMIT 1',
  );
  const metadata = { admin: true, providerAccess: [trader?.provider_id] };
  const patch = { external_wallet_address: '0x52908400098527886E0F7030069857D2E4169EE7' };
  const change = (authorization: string) =>
    world.as(authorization, ['PATCH', `/api/traders/${trader?.id}`], patch);
  const without = await world.person(metadata);
  const refused = await change(without.authorization);
  expect([refused.status, refused.body.error]).toEqual([403, 'second_factor_required']);
  const referred = await world.as(without.authorization, ['POST', '/api/traders/referral'], {
    trader_id: trader?.id,
    referral_code: 'ABC',
  });
  expect(referred.body.error).toBe('second_factor_required');
  const enrolled = await world.person(metadata, { code: '123456' });
  expect((await change(enrolled.authorization)).status).toBe(200);
});

test('service tokens are accepted beside it', async () => {
  const providers = await world.as(asSuper(), ['GET', '/api/providers']);
  const created = await world.as(asSuper(), ['POST', '/api/service-tokens'], {
    name: 'Report',
    scopes: ['directory:read'],
    provider_ids: [providers.body.data[0].id],
    expires_in_days: 1,
  });
  const bot = created.body.data.token as string;
  expect((await world.as(bot, ['GET', '/api/providers'])).status).toBe(200);
  const other = await world.as(`Bot_${'x'.repeat(43)}`, ['GET', '/api/providers']);
  expect([other.status, other.body.error]).toEqual([401, 'invalid_service_token']);
});

test('a super admin reads with the eyes of staff', async () => {
  const providers = await world.as(asSuper(), ['GET', '/api/providers']);
  const staff = await world.person({ admin: true, providerAccess: [providers.body.data[0].id] });
  const id = staff.me.body.data.id as string;
  expect((await world.as(asSuper(), ['POST', `/api/users/${id}/view-as`])).status).toBe(201);
  const seen = await call(world.product, ['GET', '/api/me'], {
    authorization: asSuper(),
    headers: { 'x-view-as': id },
  });
  expect([seen.body.data.id, seen.body.data.viewed_by]).toEqual([id, superAdmin.user.email]);
});

test('a person keeps settings of its own', async () => {
  const changed = await world.as(asSuper(), ['PATCH', '/api/me/settings'], { dates: 'iso' });
  expect([changed.status, changed.body.data.dates]).toEqual([200, 'iso']);
  expect((await world.as(asSuper(), ['GET', '/api/me'])).body.data.settings).toEqual(changed.body.data);
});

test('signing in, set-up, proofs and own sessions are not found', async () => {
  const password = 'correct horse battery staple';
  const calls: ['GET' | 'POST' | 'DELETE', string, object?][] = [
    ['POST', '/api/demo/sign-in', { persona: 'super' }],
    ['POST', '/api/reauthenticate', { password }],
    ['POST', '/api/setup', { token: 'token', email: 'a@b.example', name: 'A', password }],
    ['POST', '/api/invitations/accept', { token: 'token', name: 'A', password }],
    ['POST', '/api/auth/sign-in/email', { email: superAdmin.user.email, password }],
    ['POST', '/api/waitlist', { email: 'a@b.example', name: 'A', note: null }],
    ['GET', '/api/me/second-factor'],
    ['GET', '/api/me/sessions'],
    ['DELETE', '/api/me/sessions'],
  ];
  for (const [method, url, body] of calls) {
    const answer = await world.as(asSuper(), [method, url], body);
    expect([url, answer.status, answer.body.error]).toEqual([url, 404, 'not_found']);
  }
});

test('the configuration names the implementation that the console loads, and no secret', async () => {
  const { body, text } = await call(world.product, ['GET', '/api/config']);
  expect(body.data).toMatchObject({
    identity: 'hosted',
    hosted: { publishable_key: expect.stringMatching(/^pk_live_/), proxy_url: null },
    setup_required: false,
    demo: false,
  });
  expect(text).not.toContain('canary');
  expect(world.product.logged.join('')).not.toContain('canary');
});
