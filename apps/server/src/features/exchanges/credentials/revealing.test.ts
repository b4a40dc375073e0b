import { afterAll, beforeAll, expect, test } from 'vitest';
import { staleAuthorization } from '../../../../../../tests/support/identity/stale-session.ts';
import { asOwner } from '../../../../../../tests/support/owner.ts';
import { send } from '../../../../../../tests/support/send.ts';
import { createTestApp, type TestApp } from '../../../../../../tests/support/test-app.ts';

let product: TestApp;
let strict: TestApp;
beforeAll(async () => {
  [product, strict] = await Promise.all([
    createTestApp({ scale: 0.05 }),
    createTestApp({ scale: 0.05, env: { REVEAL_SUPER_ONLY: '1' } }),
  ]);
});
afterAll(() => Promise.all([product.close(), strict.close()]));

interface Account {
  trader_id: string;
  provider_id: string;
  exchange: string;
  acc_uid: string;
}

/** An account of the provider that the persona Staff works for. */
async function pick(app: TestApp): Promise<Account> {
  const [account] = await asOwner<Account & Record<string, unknown>>(
    app.ownerUrl,
    `SELECT a.trader_id, a.provider_id, a.exchange, a.acc_uid FROM exchange_account a
     JOIN exchange_credential c ON c.account_id = a.id AND c.field = 'api_key'
     WHERE a.removed_at IS NULL AND a.provider_id = (SELECT id FROM provider ORDER BY lower(name), id LIMIT 1)
     ORDER BY a.id LIMIT 1`,
  );
  if (!account) throw new Error('no account');
  return account;
}
const reveal = ({ app }: TestApp, { trader_id, exchange, acc_uid }: Account, as: string) =>
  send(
    app,
    'POST /api/traders/{id}/exchange/reveal',
    { params: { id: trader_id }, body: { exchange, acc_uid, field: 'api_key' } },
    as,
  );
async function shown({ app }: TestApp, account: Account, as: string) {
  const answer = await send(
    app,
    'GET /api/traders/{id}',
    { params: { id: account.trader_id }, query: { include_exchanges: 'true' } },
    as,
  );
  return answer.json().data.exchanges.find((one: { acc_uid: string }) => one.acc_uid === account.acc_uid);
}

test('the last viewer appears beside the account at once', async () => {
  const account = await pick(product);
  const staff = await product.signIn('staff');
  expect((await shown(product, account, staff)).last_reveal).toBeNull();
  expect((await reveal(product, account, staff)).statusCode).toBe(200);
  const me = await send(product.app, 'GET /api/me', {}, staff);
  expect((await shown(product, account, staff)).last_reveal).toEqual({
    field: 'api_key',
    at: expect.stringMatching(/^\d{4}-.*Z$/),
    by: 'staff@demo.example',
    by_id: me.json().data.id,
  });
  await reveal(product, account, await product.signIn('super'));
  expect((await shown(product, account, staff)).last_reveal).toMatchObject({ by: 'super@demo.example' });
});

test('it answers only for its own account, and only to a person who just signed in', async () => {
  const account = await pick(product);
  const [foreign] = await asOwner<Account & Record<string, unknown>>(
    product.ownerUrl,
    `SELECT a.trader_id, a.provider_id, a.exchange, a.acc_uid FROM exchange_account a
     JOIN exchange_credential c ON c.account_id = a.id AND c.field = 'api_key'
     WHERE a.removed_at IS NULL AND a.trader_id NOT IN (SELECT trader_id FROM exchange_account WHERE provider_id = $1)
       AND a.provider_id <> $1 ORDER BY a.id LIMIT 1`,
    [account.provider_id],
  );
  if (!foreign) throw new Error('no foreign account');
  const [staff, superAdmin] = await Promise.all([product.signIn('staff'), product.signIn('super')]);
  const reveals = async () =>
    (
      await asOwner<{ count: number }>(
        product.ownerUrl,
        `SELECT count(*)::int AS count FROM audit_entry WHERE action = 'exchange.credential_revealed'`,
      )
    )[0]?.count;
  const before = await reveals();
  const created = await send(
    product.app,
    'POST /api/service-tokens',
    {
      body: {
        name: 'Reader',
        scopes: ['traders:read', 'traders:write'],
        provider_ids: [account.provider_id],
      },
    },
    superAdmin,
  );
  const tries: [string, Account, string, number][] = [
    ['of a foreign trader', foreign, staff, 404],
    ['a foreign account by way of an own trader', { ...foreign, trader_id: account.trader_id }, staff, 404],
    ['an own account by way of a foreign trader', { ...account, trader_id: foreign.trader_id }, staff, 404],
    ['the same by a super admin', { ...account, trader_id: foreign.trader_id }, superAdmin, 404],
    ['a service', account, created.json().data?.token, 403],
    ['an old sign-in', account, await staleAuthorization(product, 'staff'), 403],
    ['no sign-in', account, 'Bearer none', 401],
  ];
  for (const [what, which, as, status] of tries) {
    const answer = await reveal(product, which, as);
    expect([what, answer.statusCode]).toEqual([what, status]);
    expect(answer.json().data).toBeUndefined();
  }
  expect(await reveals()).toBe(before);

  const value = (await reveal(product, account, staff)).json().data.value;
  expect(await reveals()).toBe((before ?? 0) + 1);
  const kept = await asOwner<Record<string, unknown>>(
    product.ownerUrl,
    `SELECT (SELECT string_agg(e::text, ' ') FROM audit_entry e) || (SELECT string_agg(c::text, ' ') FROM change_event c)
       AS all_of_it`,
  );
  expect(String(kept[0]?.all_of_it)).not.toContain(value);
});

test('a provider may leave it to super admins', async () => {
  const account = await pick(product);
  const set = (on: boolean) =>
    asOwner(product.ownerUrl, 'UPDATE provider SET reveal_super_only = $2 WHERE id = $1', [
      account.provider_id,
      on,
    ]);
  const staff = await product.signIn('staff');
  await set(true);
  const before = (await shown(product, account, staff)).last_reveal;
  const refused = await reveal(product, account, staff);
  expect([refused.statusCode, refused.json().error]).toEqual([403, 'reveal_super_only']);
  expect(await shown(product, account, staff)).toMatchObject({
    reveal_super_only: true,
    last_reveal: before,
  });
  expect((await reveal(product, account, await product.signIn('super'))).statusCode).toBe(200);
  await set(false);
  expect((await reveal(product, account, staff)).statusCode).toBe(200);
});

test('so may the platform, and says so to the console', async () => {
  const account = await pick(strict);
  expect((await send(strict.app, 'GET /api/config')).json().data.reveal_super_only).toBe(true);
  expect((await send(product.app, 'GET /api/config')).json().data.reveal_super_only).toBe(false);
  const refused = await reveal(strict, account, await strict.signIn('staff'));
  expect([refused.statusCode, refused.json().error]).toEqual([403, 'reveal_super_only']);
  expect((await reveal(strict, account, await strict.signIn('super'))).statusCode).toBe(200);
});
