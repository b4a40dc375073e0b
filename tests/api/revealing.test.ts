import { afterAll, beforeAll, expect, test } from 'vitest';
import { asOwner } from '../support/owner.ts';
import { send } from '../support/send.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';

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

test('whoever looked last stands beside the account at once', async () => {
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
