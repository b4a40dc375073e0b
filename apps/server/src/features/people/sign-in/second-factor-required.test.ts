import { contract, type Entry } from '@copydesk/contract';
import { needsSecondFactor } from '@copydesk/domain/access';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, signInAs } from '../../../../../../tests/support/identity/callers.ts';
import { giveAccess } from '../../../../../../tests/support/identity/give-access.ts';
import { accept, enrol, invite, signIn } from '../../../../../../tests/support/identity/people.ts';
import { createWorld, PROVIDERS, type World } from '../../../../../../tests/support/identity/world.ts';
import { asOwner } from '../../../../../../tests/support/owner.ts';
import { createTestApp } from '../../../../../../tests/support/test-app.ts';
import { createVerification } from '../set-up/demo-personas.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const createToken = (authorization: string) =>
  call(world, ['POST', '/api/service-tokens'], {
    authorization,
    body: { name: 'Reader', scopes: ['traders:read'], provider_ids: [PROVIDERS[0]?.id] },
  });

test('a super admin acts on money and secrets only with a second factor, and on accounts without', async () => {
  const persona = await signInAs(world, 'super');
  const email = 'new-super@example.com';
  const invited = await invite(world, persona.authorization, { email, super: true });
  const person = await accept(world, { ...invited, email });
  expect((await createToken(person.authorization)).body.error).toBe('second_factor_required');
  const colleague = await call(world, ['POST', '/api/users/invitations'], {
    authorization: person.authorization,
    body: { email: 'colleague@example.com' },
  });
  expect(colleague.status).toBe(201);
  const enrolled = await enrol(world, person);
  expect((await createToken(enrolled.authorization)).status).toBe(201);
  // Removing it again takes the right away with the next request.
  await call(world, ['DELETE', `/api/users/${person.id}/second-factor`], persona);
  expect((await createToken(enrolled.authorization)).status).toBe(401);
});

test('staff change addresses and referrers, and see secrets, only with a second factor', async () => {
  const product = await createTestApp({ scale: 0.05 });
  try {
    const persona = await product.signIn('super');
    const [row] = await asOwner<Record<'id' | 'provider_id' | 'community_id' | 'code', string>>(
      product.ownerUrl,
      `SELECT t.id, p.provider_id, t.community_id, o.referral_code AS code FROM trader t
       JOIN trader_provider p ON p.trader_id = t.id
       JOIN trader o ON o.community_id = t.community_id AND o.id <> t.id
       JOIN trader_provider op ON op.trader_id = o.id AND op.provider_id = p.provider_id
       WHERE t.referred_by_trader_id IS NULL AND o.referred_by_trader_id IS NULL ORDER BY t.id LIMIT 1`,
    );
    if (!row) throw new Error('no traders');
    const email = 'new-staff@example.com';
    const invited = await invite(product, persona, { email, admin: true });
    const person = await accept(product, { ...invited, email });
    await giveAccess(product, persona, person.id, { provider_access: [row.provider_id] });
    const { authorization } = { ...person, ...(await signIn(product, email)) };

    const create = { community_id: row.community_id, selected_provider_id: row.provider_id };
    const address = '0x52908400098527886E0F7030069857D2E4169EE7';
    const reveal = { exchange: 'bybit', acc_uid: '1', field: 'api_key' };
    const acts: ['POST' | 'PATCH', string, object][] = [
      ['PATCH', `/api/traders/${row.id}`, { external_wallet_address: address }],
      ['PATCH', `/api/traders/${row.id}`, { external_wallet_address: null, language: 'en' }],
      ['POST', '/api/traders', { ...create, name: 'Referred', referral_code: row.code }],
      ['POST', '/api/traders/referral', { trader_id: row.id, referral_code: row.code }],
      ['POST', `/api/traders/${row.id}/exchange/reveal`, reveal],
    ];
    for (const [method, url, body] of acts) {
      const refused = await call(product, [method, url], { authorization, body });
      expect([url, refused.status, refused.body.error]).toEqual([url, 403, 'second_factor_required']);
    }
    // What needs no proof stays open, and so does adding the factor.
    const harmless: [string, object, number][] = [
      [`/api/traders/${row.id}`, { language: 'es' }, 200],
      ['/api/traders', { ...create, name: 'Alone' }, 201],
    ];
    for (const [url, body, status] of harmless) {
      const method = status === 200 ? 'PATCH' : 'POST';
      const answer = await call(product, [method, url], { authorization, body });
      expect([url, answer.status]).toEqual([url, status]);
    }
    const enrolled = await enrol(product, { ...person, ...(await signIn(product, email)) });
    const expected = [200, 200, 201, 200, 404];
    for (const [index, [method, url, body]] of acts.entries()) {
      const answer = await call(product, [method, url], { authorization: enrolled.authorization, body });
      expect([url, answer.status]).toEqual([url, expected[index]]);
    }
    // A program of the platform goes on recording referrers: it has no factor, and is bound by its scope.
    const created = await call(product, ['POST', '/api/service-tokens'], {
      authorization: persona,
      body: { name: 'Bot', scopes: ['traders:write'], provider_ids: [row.provider_id] },
    });
    const bot = { authorization: created.body.data.token };
    const signUp = { ...create, name: 'From the bot', referral_code: row.code };
    expect((await call(product, ['POST', '/api/traders'], { ...bot, body: signUp })).status).toBe(201);
    const patch = { external_wallet_address: address };
    const byBot = await call(product, ['PATCH', `/api/traders/${row.id}`], { ...bot, body: patch });
    expect(byBot.body.error).toBe('person_required');
  } finally {
    await product.close();
  }
});

test('personas count as verified in a database with the mark of the demo world only', async () => {
  const { authorization } = await signInAs(world, 'super');
  expect((await createToken(authorization)).status).toBe(201);
  const found = await world.identity.authenticate(authorization);
  if (!found.ok || found.principal.kind !== 'user') throw new Error('a person is expected');
  const { principal } = found;
  expect(createVerification({ isDemo: true })(principal)).toBe(true);
  expect(createVerification({ isDemo: false })(principal)).toBe(false);
  expect(createVerification({ isDemo: true })({ ...principal, email: 'super@example.com' })).toBe(false);
});

test('every call of super admins and staff that needs recent authentication needs it, but for those about accounts', () => {
  const without = Object.entries<Entry>(contract)
    .filter(([, entry]) => ['super', 'staff'].includes(entry.permission) && entry.recentAuth !== false)
    .filter(([, entry]) => !needsSecondFactor(entry))
    .map(([key]) => key);
  expect(without.length).toBeGreaterThan(0);
  for (const key of without) expect(key).toMatch(/ \/api\/(users|waitlist)\b/);
});
