import { randomUUID } from 'node:crypto';
import { type Call, contract, type Entry } from '@copydesk/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, signInAs, tokenOf } from '../../../../../tests/support/identity/callers.ts';
import { staleAuthorization } from '../../../../../tests/support/identity/stale-session.ts';
import { asOwner } from '../../../../../tests/support/owner.ts';
import { send } from '../../../../../tests/support/send.ts';
import { createTestApp, type TestApp } from '../../../../../tests/support/test-app.ts';

let product: TestApp;
beforeAll(async () => {
  product = await createTestApp({ scale: 0.05 });
});
afterAll(() => product.close());

const entries = Object.entries(contract) as [Call, Entry][];

test('every call that moves money, redirects it, shows a secret or creates users requires it', () => {
  const asking = entries.filter(([, entry]) => entry.recentAuth !== false).map(([key]) => key);
  expect(asking).toEqual(
    expect.arrayContaining([
      'POST /api/super-admin/communities/{id}/distribute',
      'POST /api/communities/{id}/withdraw',
      'POST /api/super-admin/distributions/{id}/approve',
      'POST /api/sweep-operations/{id}/retry',
      'POST /api/sweep-operations/{id}/cancel',
      'POST /api/super-admin/wallets/{id}/unfreeze',
      'PATCH /api/invoices/{id}/status',
      'PATCH /api/invoices/admin/status',
      'PATCH /api/communities/{id}',
      'PATCH /api/super-admin/communities/{id}',
      'PATCH /api/traders/{id}',
      'POST /api/traders/{id}/exchange/reveal',
      'POST /api/users/invitations',
      'PATCH /api/users/{id}',
      'POST /api/users/{id}/confirm',
      'POST /api/service-tokens',
    ]),
  );
  // No change of a wallet address is without it, in whatever call it comes.
  for (const [key, { recentAuth, body }] of entries) {
    const addresses = Object.keys(body?.shape ?? {}).filter((name) => /wallet_address$/.test(name));
    if (addresses.length > 0 && recentAuth !== true)
      expect([key, recentAuth]).toEqual([key, { whenBodyHas: expect.arrayContaining(addresses) }]);
  }
});

test('declining needs it only where what was declined cannot be asked for again', () => {
  const declining = entries.filter(([key]) => /^POST .*\/(decline|decisions\/\{\w+\}\/withdraw)$/.test(key));
  expect(Object.fromEntries(declining.map(([key, { recentAuth }]) => [key, recentAuth]))).toEqual({
    'POST /api/orders/{id}/decline': false,
    'POST /api/platform-settings/changes/{id}/decline': false,
    'POST /api/super-admin/distributions/{id}/decline': false,
    'POST /api/super-admin/payout-runs/{id}/decline': false,
    'POST /api/pooled-accounts/{id}/arrivals/{arrivalId}/decisions/{decisionId}/withdraw': false,
    'POST /api/waitlist/{id}/decline': true,
  });
  for (const [key, { recentAuth, summary }] of declining)
    expect([key, summary.includes('so this needs no recent authentication')]).toEqual([key, !recentAuth]);
});

test('a session that is too old declines a change of a setting, which can then be requested again', async () => {
  const first = await product.signIn('super');
  const request = async () => {
    const body = { set: { approver_min_hours: 1 }, version: 0 };
    const asked = await send(product.app, 'PUT /api/platform-settings', { body }, first);
    return asked.json().data.waiting.id as string;
  };
  const stale = await staleAuthorization(product, 'super-2');
  const decide = (what: 'approve' | 'decline', id: string) =>
    send(product.app, `POST /api/platform-settings/changes/{id}/${what}`, { params: { id } }, stale);
  const id = await request();
  expect((await decide('approve', id)).json().error).toBe('reauthentication_required');
  expect((await decide('decline', id)).statusCode).toBe(200);
  const again = await request();
  expect(again).not.toBe(id);
  expect((await decide('decline', again)).statusCode).toBe(200);
});

test('a session that is too old takes no one off the waitlist', async () => {
  await product.app.inject({
    method: 'POST',
    url: '/api/waitlist',
    payload: { email: 'waits@example.com', name: 'Wanda' },
  });
  const stale = await staleAuthorization(product, 'super-2');
  const { data } = (await send(product.app, 'GET /api/waitlist', {}, stale)).json();
  const parts = { params: { id: data[0].id } };
  const refused = await send(product.app, 'POST /api/waitlist/{id}/decline', parts, stale);
  expect(refused.json().error).toBe('reauthentication_required');
});

test('the keys that are declared are keys of the body, and no service may make such a call without a scope for it', () => {
  for (const [key, { recentAuth, body, serviceScope, permission }] of entries) {
    if (typeof recentAuth === 'object')
      expect([key, Object.keys(body?.shape ?? {})]).toEqual([
        key,
        expect.arrayContaining([...recentAuth.whenBodyHas]),
      ]);
    if (recentAuth === true) expect([key, serviceScope, permission]).not.toContain('public');
    // Services ask for withdrawals on behalf of their own signed-in traders, and record who referred a trader.
    const isExcepted = recentAuth === true || (recentAuth !== false && recentAuth.exceptServices);
    if (isExcepted && serviceScope && serviceScope !== 'pool_requests')
      expect(['POST /api/traders', 'POST /api/traders/referral']).toContain(key);
  }
});

test('a trader: its status is changed at once, its payout address, Telegram id and e-mail address are not, and by a service never', async () => {
  const [trader] = await asOwner<{ id: string }>(
    product.ownerUrl,
    `SELECT t.id FROM trader t JOIN trader_provider p ON p.trader_id = t.id
     JOIN provider v ON v.id = p.provider_id ORDER BY lower(v.name), t.id LIMIT 1`,
  );
  const id = trader?.id as string;
  const address = '0x52908400098527886E0F7030069857D2E4169EE7';
  const stale = await staleAuthorization(product, 'staff');
  const patch = (body: object, as: string) =>
    send(product.app, 'PATCH /api/traders/{id}', { params: { id }, body }, as);
  expect((await patch({ language: 'es' }, stale)).statusCode).toBe(200);
  for (const body of [
    { external_wallet_address: address },
    { external_wallet_address: null, language: 'en' },
    { telegram_user_id: '70000001' },
    { telegram_user_id: null },
    { email: 'ada@example.com', name: 'Ada' },
  ]) {
    const answer = await patch(body, stale);
    expect([answer.statusCode, answer.json().error]).toEqual([403, 'reauthentication_required']);
  }
  const fresh = await product.signIn('staff');
  expect((await patch({ external_wallet_address: address }, fresh)).statusCode).toBe(200);

  const superAdmin = await product.signIn('super');
  const providers = await asOwner<{ id: string }>(product.ownerUrl, 'SELECT id FROM provider');
  const created = await call(product, ['POST', '/api/service-tokens'], {
    authorization: superAdmin,
    body: { name: 'Bot', scopes: ['traders:write'], provider_ids: providers.map((provider) => provider.id) },
  });
  const bot = created.body.data.token;
  expect((await patch({ language: 'en' }, bot)).statusCode).toBe(200);
  for (const body of [{ external_wallet_address: null }, { telegram_user_id: '70000001' }, { email: null }]) {
    const refused = await patch(body, bot);
    expect([refused.statusCode, refused.json().error]).toEqual([403, 'person_required']);
  }
});

test('an earlier answer is not shown to a session that is too old, nor is its refusal kept', async () => {
  const { cookie, sessionId, authorization } = await signInAs(product, 'super');
  const [community] = await asOwner<{ id: string; split: number }>(
    product.ownerUrl,
    'SELECT id, split_percentage::float AS split FROM community WHERE archived_at IS NULL ORDER BY id LIMIT 1',
  );
  const id = community?.id as string;
  const key = { 'idempotency-key': randomUUID() };
  const change = (as: string, headers: Record<string, string>) =>
    send(
      product.app,
      'PATCH /api/communities/{id}',
      { params: { id }, body: { minimum_balance: 7 } },
      as,
      headers,
    );
  const first = await change(authorization, key);
  expect(first.statusCode).toBe(200);
  expect((await change(authorization, key)).headers['idempotent-replayed']).toBe('true');

  await asOwner(
    product.ownerUrl,
    "UPDATE identity.session SET authenticated_at = now() - interval '11 minutes' WHERE id = $1",
    [sessionId],
  );
  const stale = `Bearer ${await tokenOf(product, cookie)}`;
  const refused = await change(stale, key);
  expect([refused.statusCode, refused.json().error]).toEqual([403, 'reauthentication_required']);
  expect(refused.headers['idempotent-replayed']).toBeUndefined();

  const other = { 'idempotency-key': randomUUID() };
  expect((await change(stale, other)).statusCode).toBe(403);
  const proven = await call(product, ['POST', '/api/reauthenticate'], {
    authorization: stale,
    body: { one_click: true },
  });
  expect(proven.status).toBe(200);
  const again = await change(`Bearer ${proven.body.token}`, other);
  expect([again.statusCode, again.headers['idempotent-replayed']]).toEqual([200, undefined]);
});
