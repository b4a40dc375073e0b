import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { asOwner } from '../../../../../../tests/support/owner.ts';
import { send } from '../../../../../../tests/support/send.ts';
import { createTestApp, type TestApp } from '../../../../../../tests/support/test-app.ts';
import { addCommunity } from '../../../../../../tests/support/world/communities.ts';
import { ownerOf } from '../../../../../../tests/support/world/rows.ts';
import { addBareTrader } from '../../../../../../tests/support/world/traders.ts';

const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';

let product: TestApp;
let superAdmin: string;
let staff: string;
let id: string;

beforeAll(async () => {
  product = await createTestApp({ scale: 0.05 });
  superAdmin = await product.signIn('super');
  staff = await product.signIn('staff');
});
afterAll(() => product.close());
beforeEach(async () => {
  const owner = ownerOf(product.ownerUrl);
  const providers = await owner<{ id: string }>(`SELECT id FROM provider WHERE name IN ('aurora', 'dune')`);
  id = await addCommunity(
    owner,
    providers.map((provider) => provider.id),
  );
});

const change = (body: object, as = superAdmin, headers = {}) =>
  send(product.app, 'PATCH /api/super-admin/communities/{id}', { params: { id }, body }, as, headers);
const history = async () =>
  (
    await send(
      product.app,
      'GET /api/super-admin/communities/{id}/split-history',
      { params: { id } },
      superAdmin,
    )
  ).json();

test('settings change as numbers, exactly, and appear in the history', async () => {
  const answer = await change({ split_percentage: 12.34, minimum_balance: 500 });
  expect(answer.json().data).toMatchObject({ id, split_percentage: 12.34, minimum_balance: 500 });
  await change({ referrer_wallet_address: ADDRESS.toLowerCase() });
  const { data, meta } = await history();
  expect(meta.total).toBe(2);
  expect(data).toMatchObject([
    {
      actor_name: 'super@demo.example',
      actor_kind: 'user',
      before: { referrer_wallet_address: null },
      after: { referrer_wallet_address: ADDRESS },
    },
    {
      before: { split_percentage: '5', minimum_balance: '10000' },
      after: { split_percentage: '12.34', minimum_balance: '500' },
    },
  ]);
});

test('setting the present value changes nothing and is not recorded', async () => {
  await change({ split_percentage: 5, minimum_balance: 10000, referrer_wallet_address: '' });
  expect((await history()).meta.total).toBe(0);
});

test('an empty address clears it, another way for each of the two', async () => {
  const patch = (body: object) =>
    send(product.app, 'PATCH /api/communities/{id}', { params: { id }, body }, superAdmin);
  await patch({ referrer_wallet_address: ADDRESS, external_wallet_address: ADDRESS });
  const cleared = await patch({ referrer_wallet_address: null, external_wallet_address: '  ' });
  expect(cleared.json().data).toMatchObject({ referrer_wallet_address: null, external_wallet_address: null });
});

test.each([
  [{ split_percentage: 100.01 }, 'split_percentage', 'Invalid input: at most 100'],
  [{ split_percentage: -1 }, 'split_percentage', 'Invalid input: at least 0'],
  [{ split_percentage: 1.005 }, 'split_percentage', 'Invalid input'],
  [{ split_percentage: '5' }, 'split_percentage', 'Expected number, received string'],
  [{ minimum_balance: 0 }, 'minimum_balance', 'Invalid input: at least 1'],
  [{ minimum_balance: 1.5 }, 'minimum_balance', 'Expected integer, received number'],
  [{ referrer_wallet_address: '0x1' }, 'referrer_wallet_address', 'Invalid input: not an EVM address'],
  [
    { referrer_wallet_address: `0x${'0'.repeat(40)}` },
    'referrer_wallet_address',
    'Invalid input: the zero address cannot be paid',
  ],
  [{ external_wallet_address: ADDRESS }, 'external_wallet_address', 'Invalid input'],
  [{ name: 'Other' }, 'name', 'Invalid input'],
])('refuses %o', async (body, path, message) => {
  const answer = await change(body);
  expect(answer.statusCode).toBe(400);
  expect(answer.json().details).toContainEqual({ path, message });
});

test('none of our own wallets is taken as an address', async () => {
  const [ours] = await asOwner(
    product.ownerUrl,
    `SELECT (SELECT deposit_address FROM trader LIMIT 1) AS deposit,
       (SELECT internal_wallet_address FROM community WHERE internal_wallet_address IS NOT NULL LIMIT 1) AS internal`,
  );
  for (const address of Object.values(ours ?? {})) {
    const answer = await change({ referrer_wallet_address: address });
    expect(answer.json().details, address).toEqual([
      { path: 'referrer_wallet_address', message: 'Invalid input: this address belongs to the platform' },
    ]);
  }
});

test('a split above 100 % is refused, with the provider and the possible maximum', async () => {
  expect((await change({ split_percentage: 50 })).statusCode).toBe(200);
  const beyond = await change({ split_percentage: 50.01 });
  expect(beyond.statusCode).toBe(409);
  expect(beyond.json()).toEqual({
    success: false,
    error: 'split_exceeds_invoice',
    message: 'A split of 50.01% would give away more than the invoice: at most 50% with Dune Trading.',
  });
  const referred = await change({ referrer_wallet_address: ADDRESS });
  expect(referred.json().message).toBe(
    'A split of 50% would give away more than the invoice: at most 49% with Dune Trading, beside the 1% of the referrer.',
  );
  expect((await change({ split_percentage: 49, referrer_wallet_address: ADDRESS })).statusCode).toBe(200);
});

test('traders without a provider count with its fallback', async () => {
  await addBareTrader(ownerOf(product.ownerUrl), { community_id: id });
  expect((await change({ split_percentage: 31 })).json().message).toContain('at most 30% with No provider');
});

test('the same Idempotency-Key changes once and gets the same answer', async () => {
  const headers = { 'idempotency-key': crypto.randomUUID() };
  const first = await change({ split_percentage: 7 }, superAdmin, headers);
  await change({ split_percentage: 8 });
  const again = await change({ split_percentage: 7 }, superAdmin, headers);
  expect(again.body).toBe(first.body);
  expect((await history()).data[0].after).toEqual({ split_percentage: '8' });
  expect((await change({ split_percentage: 9 }, superAdmin, headers)).statusCode).toBe(422);
});

test('staff change nothing, and receive events of the communities that they see', async () => {
  expect((await change({ split_percentage: 7 }, staff)).json().error).toBe('super_admin_required');
  await change({ split_percentage: 7 });
  const [event] = await asOwner(
    product.ownerUrl,
    `SELECT e.topic, cardinality(e.provider_ids) AS providers FROM change_event e
     WHERE e.entity_id = $1 ORDER BY e.id DESC LIMIT 1`,
    [id],
  );
  expect(event).toEqual({ topic: 'community', providers: 2 });
});

test('of many changes at once each follows another', async () => {
  await Promise.all(Array.from({ length: 20 }, (_, n) => change({ split_percentage: n + 10 })));
  const { data, meta } = await history();
  expect(meta.total).toBe(20);
  const [newest, ...older] = data;
  older.reduce((later: { before: object }, entry: { before: object; after: object }) => {
    expect(later.before).toEqual(entry.after);
    return entry;
  }, newest);
});
