import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { send } from '../../../../../../tests/support/send.ts';
import { createTestApp, type TestApp } from '../../../../../../tests/support/test-app.ts';
import { newAddress } from '../../../../../../tests/support/world/addresses.ts';
import { addCommunity } from '../../../../../../tests/support/world/communities.ts';
import { insertRow, type Owner, ownerOf } from '../../../../../../tests/support/world/rows.ts';
import { addTrader } from '../../../../../../tests/support/world/traders.ts';

let product: TestApp;
let owner: Owner;
let superAdmin: string;
let staff: string;
let aurora: string;
let dune: string;
let communityId: string;

beforeAll(async () => {
  product = await createTestApp({ scale: 0.05 });
  owner = ownerOf(product.ownerUrl);
  superAdmin = await product.signIn('super');
  staff = await product.signIn('staff');
  const rows = await owner<{ id: string }>(
    `SELECT id FROM provider WHERE name IN ('aurora', 'dune') ORDER BY name`,
  );
  [aurora = '', dune = ''] = rows.map(({ id }) => id);
});
afterAll(() => product.close());
beforeEach(async () => {
  communityId = await addCommunity(owner, [dune]);
});

const link = (body: object = {}) =>
  send(
    product.app,
    'POST /api/communities/{id}/providers',
    { params: { id: communityId }, body: { provider_id: aurora, ...body } },
    superAdmin,
  );
const params = (providerId = aurora) => ({ params: { id: communityId, providerId } });
const change = (body: object, providerId = aurora) =>
  send(
    product.app,
    'PUT /api/communities/{id}/providers/{providerId}',
    { ...params(providerId), body },
    superAdmin,
  );
const remove = (providerId = aurora) =>
  send(product.app, 'DELETE /api/communities/{id}/providers/{providerId}', params(providerId), superAdmin);
const reasons = async (providerId = aurora) =>
  (
    await send(
      product.app,
      'GET /api/communities/{id}/providers/{providerId}/can-remove',
      params(providerId),
      superAdmin,
    )
  ).json().data;
const list = async (as = superAdmin) =>
  (
    await send(product.app, 'GET /api/communities/{id}/providers', { params: { id: communityId } }, as)
  ).json();
const newTrader = (body: object) =>
  send(
    product.app,
    'POST /api/traders',
    {
      body: { name: 'A', community_id: communityId, selected_provider_id: aurora, ...body },
    } as never,
    superAdmin,
  );

test('a linked provider is seen by its staff, named for the community, and chosen by traders', async () => {
  expect((await list(staff)).error).toBe('not_found');
  const answer = await link({ custom_display_name: 'House signals' });
  expect(answer.statusCode, answer.body).toBe(201);
  expect(answer.json().data).toMatchObject({
    provider_id: aurora,
    custom_display_name: 'House signals',
    trader_count: 0,
    account_count: 0,
  });
  expect((await link()).json().error).toBe('provider_already_linked');
  expect((await list(staff)).data).toHaveLength(1);
  expect((await list()).data).toHaveLength(2);
  await change({ custom_display_name: '' });
  expect((await list(staff)).data).toMatchObject([{ custom_display_name: null, is_active: true }]);
  expect((await newTrader({})).statusCode).toBe(201);
});

test('an inactive provider or link takes no trader and no new link; those that exist stay', async () => {
  await link();
  const trader = await addTrader(owner, { community_id: communityId, selected_provider_id: aurora });
  await change({ is_active: false });
  expect((await newTrader({})).json().error).toBe('not_found');
  await change({ is_active: true });
  await owner('UPDATE provider SET is_active = false WHERE id = $1', [aurora]);
  try {
    expect((await newTrader({})).json().error).toBe('not_found');
    await change({ is_active: false });
    expect((await change({ is_active: true })).json().error).toBe('provider_inactive');
    communityId = await addCommunity(owner, [dune]);
    expect((await link()).json().error).toBe('provider_inactive');
  } finally {
    await owner('UPDATE provider SET is_active = true WHERE id = $1', [aurora]);
  }
  const seen = await send(
    product.app,
    'GET /api/traders/{id}',
    { params: { id: trader.id }, query: {} },
    staff,
  );
  expect(seen.statusCode).toBe(200);
});

test('terms that would give away more than the invoice are refused when they meet', async () => {
  communityId = await addCommunity(owner, [dune], {
    split_percentage: 65,
    referrer_wallet_address: newAddress(),
  });
  expect((await link()).json()).toMatchObject({
    error: 'split_exceeds_invoice',
    message:
      'Aurora Signals takes 35% of an invoice. Beside it and the 1% of the referrer, the community can have at most 64%, and has 65%.',
  });
});

test('a provider in use is not removed, and every use is a reason', async () => {
  await link();
  const trader = await addTrader(owner, { community_id: communityId, selected_provider_id: aurora });
  expect(await reasons()).toMatchObject({
    can_remove: false,
    reasons: [
      { code: 'traders', count: 1, message: '1 trader has selected it' },
      { code: 'accounts', count: 1 },
    ],
  });
  const refused = await remove();
  expect(refused.json()).toMatchObject({
    error: 'provider_in_use',
    message:
      'This provider is still in use in this community: 1 trader has selected it, 1 exchange account is connected under it.',
  });
  await owner('UPDATE exchange_account SET removed_at = now() WHERE id = $1', [trader.accountId]);
  await owner('UPDATE trader SET selected_provider_id = $2 WHERE id = $1', [trader.id, dune]);
  expect(await reasons()).toEqual({ can_remove: true, reasons: [] });
  // Traders of an active community need a provider to choose.
  await change({ is_active: false });
  await owner('UPDATE trader SET selected_provider_id = NULL WHERE id = $1', [trader.id]);
  expect((await reasons(dune)).reasons).toMatchObject([{ code: 'last_provider' }]);
});

test('a removed provider leaves no trace for its staff, unless invoices name both', async () => {
  await link();
  expect((await remove()).statusCode).toBe(200);
  expect((await remove()).statusCode).toBe(404);
  expect((await list(staff)).error).toBe('not_found');

  await link();
  const trader = await addTrader(owner, { community_id: communityId, selected_provider_id: aurora });
  await insertRow(owner, 'invoice', {
    trader_id: trader.id,
    community_id: communityId,
    provider_id: aurora,
    amount_units: '1000000000000000000',
    status: 'cancelled',
    payment_address: newAddress(),
    commission_rate: '0.5',
    split: '{}',
    due_at: new Date(),
  });
  await owner('UPDATE exchange_account SET removed_at = now() WHERE id = $1', [trader.accountId]);
  await owner('UPDATE trader SET selected_provider_id = $2 WHERE id = $1', [trader.id, dune]);
  expect((await remove()).statusCode).toBe(200);
  expect((await list()).data).toHaveLength(1);
  expect((await newTrader({})).json().error).toBe('not_found');
  // The history of payouts names the community.
  const community = { params: { id: communityId }, query: {} };
  expect((await send(product.app, 'GET /api/communities/{id}', community, staff)).statusCode).toBe(200);
  // Linked again, it is as new.
  expect((await link()).statusCode).toBe(201);
  expect((await list(staff)).data).toMatchObject([{ is_active: true }]);
});

test('removing a provider and adding a trader at once never leave a trader without its provider', async () => {
  for (let nth = 0; nth < 5; nth += 1) {
    communityId = await addCommunity(owner, [dune]);
    await link();
    const [added, removed] = await Promise.all([newTrader({ name: `Race ${nth}` }), remove()]);
    expect([added.statusCode, removed.statusCode]).not.toEqual([201, 200]);
    const [row] = await owner<{ lost: number }>(
      `SELECT count(*)::int AS lost FROM trader t WHERE t.community_id = $1 AND NOT EXISTS (
         SELECT FROM community_provider l WHERE l.community_id = t.community_id
           AND l.provider_id = t.selected_provider_id AND l.removed_at IS NULL)`,
      [communityId],
    );
    expect(row?.lost).toBe(0);
  }
});

test('a community is created with its providers and an owner, and its addresses are held', async () => {
  const name = `New ${randomUUID()}`;
  const create = (body: object = {}) =>
    send(
      product.app,
      'POST /api/communities',
      { body: { name, provider_ids: [dune, aurora, dune], ...body } },
      superAdmin,
    );
  const address = newAddress();
  const answer = await create({
    owner_name: 'Ada',
    owner_telegram_id: '4711',
    owner_language: 'pl',
    external_wallet_address: address,
  });
  expect(answer.statusCode, answer.body).toBe(201);
  const { data } = answer.json();
  expect(data).toMatchObject({
    name,
    split_percentage: 5,
    minimum_balance: 10000,
    owner: { name: 'Ada', telegram_id: '4711', language: 'pl' },
    external_wallet_address: address,
    trader_count: 0,
  });
  communityId = data.id;
  expect((await list()).data).toHaveLength(2);
  const held = await send(
    product.app,
    'GET /api/super-admin/communities/{id}/payout-addresses',
    { params: { id: data.id } },
    superAdmin,
  );
  expect(held.json().data).toMatchObject([{ recipient_type: 'community', address, can_release: false }]);
  expect((await create()).json().error).toBe('community_name_taken');
  const refused = await create({ name: `${name} 2`, split_percentage: 60 });
  expect(refused.json().error).toBe('split_exceeds_invoice');
  const [left] = await owner<{ n: number }>('SELECT count(*)::int AS n FROM community WHERE name = $1', [
    `${name} 2`,
  ]);
  expect(left?.n).toBe(0);

  const patch = (body: object) =>
    send(product.app, 'PATCH /api/communities/{id}', { params: { id: data.id }, body }, superAdmin);
  expect((await patch({ owner_telegram_id: '', owner_name: 'Bea' })).json().data.owner).toEqual({
    name: 'Bea',
    telegram_id: null,
    language: 'pl',
  });
  expect((await patch({ owner_telegram_id: '-5' })).statusCode).toBe(400);
  const [taken] = await owner<{ name: string }>('SELECT name FROM community WHERE id <> $1 LIMIT 1', [
    data.id,
  ]);
  expect((await patch({ name: taken?.name })).json().error).toBe('community_name_taken');
});
