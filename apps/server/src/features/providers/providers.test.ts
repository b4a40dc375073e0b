import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { send } from '../../../../../tests/support/send.ts';
import { createTestApp, type TestApp } from '../../../../../tests/support/test-app.ts';
import { newAddress } from '../../../../../tests/support/world/addresses.ts';
import { addCommunity } from '../../../../../tests/support/world/communities.ts';
import { type Owner, ownerOf } from '../../../../../tests/support/world/rows.ts';
import { addBareTrader } from '../../../../../tests/support/world/traders.ts';

let product: TestApp;
let owner: Owner;
let superAdmin: string;
let other: string;
let staff: string;

beforeAll(async () => {
  product = await createTestApp({ scale: 0.05 });
  owner = ownerOf(product.ownerUrl);
  superAdmin = await product.signIn('super');
  other = await product.signIn('super-2');
  staff = await product.signIn('staff');
});
afterAll(() => product.close());

const create = (body: object, headers = {}) =>
  send(
    product.app,
    'POST /api/providers',
    { body: { name: randomUUID(), display_name: 'New', ...body } },
    superAdmin,
    headers,
  );
const created = async (body: object = {}) => (await create(body)).json().data;
const change = (id: string, body: object) =>
  send(product.app, 'PUT /api/providers/{id}', { params: { id }, body }, superAdmin);
const read = async (path: 'figures' | 'communities' | 'exchanges' | 'history', id: string, as = superAdmin) =>
  (
    await send(product.app, `GET /api/providers/{id}/${path}`, { params: { id }, query: {} } as never, as)
  ).json();

test('a provider has the defaults of the platform, and one request creates one', async () => {
  const headers = { 'idempotency-key': randomUUID() };
  const body = { name: `once ${randomUUID()}` };
  const [first, second] = [await create(body, headers), await create(body, headers)];
  expect(first.statusCode, first.body).toBe(201);
  expect(second.json()).toEqual(first.json());
  expect(first.json().data).toMatchObject({
    display_name: 'New',
    payment_split_percentage: 0.35,
    supported_exchanges: [],
    is_active: true,
    invoicing_enabled: true,
    payout_address: null,
  });
  expect((await create(body)).json().error).toBe('provider_name_taken');
  expect((await create({ name: ' ' })).statusCode).toBe(400);
  for (const wrong of [
    { payment_split_percentage: 1.01 },
    { payment_split_percentage: 0.355 },
    { supported_exchanges: ['hyperliquid'] },
    { payout_address: '0x0000000000000000000000000000000000000000' },
    { invoicing_enabled: false },
  ])
    expect([wrong, (await create(wrong)).statusCode]).toEqual([wrong, 400]);
});

test('only what differs is changed and recorded', async () => {
  const { id, name } = await created({ supported_exchanges: ['okx', 'bybit', 'okx'] });
  await change(id, { name, display_name: 'New', supported_exchanges: ['bybit', 'okx'] });
  expect((await read('history', id)).meta.total).toBe(1);
  const answer = await change(id, { display_name: 'Newer', payment_split_percentage: 0.29 });
  expect(answer.json().data).toMatchObject({ name, display_name: 'Newer', payment_split_percentage: 0.29 });
  const { data } = await read('history', id);
  expect(data).toMatchObject([
    {
      action: 'provider.changed',
      actor_name: 'super@demo.example',
      before: { display_name: 'New', payment_split_percentage: '0.35' },
      after: { display_name: 'Newer', payment_split_percentage: '0.29' },
    },
    { action: 'provider.created', before: null },
  ]);
  const taken = await created();
  expect((await change(taken.id, { name })).json().error).toBe('provider_name_taken');
});

test('a share that leaves less than nothing of an invoice is refused, with the communities', async () => {
  const { id } = await created({ payment_split_percentage: 0.5 });
  const tight = await addCommunity(owner, [id], { name: `Tight ${id}`, split_percentage: 30 });
  const chosen = await addCommunity(owner, [], {
    name: `Chosen ${id}`,
    split_percentage: 20,
    referrer_wallet_address: newAddress(),
  });
  await addBareTrader(owner, { community_id: chosen, selected_provider_id: id });
  expect((await change(id, { payment_split_percentage: 0.7 })).statusCode).toBe(200);
  const refused = await change(id, { payment_split_percentage: 0.8 });
  expect(refused.json()).toMatchObject({
    error: 'split_exceeds_invoice',
    message: `A payment split of 80% would give away more than the invoice: at most 79% in Chosen ${id}, at most 70% in Tight ${id}.`,
  });
  // Both at once: whichever comes second sees the first.
  const [share, split] = await Promise.all([
    change(id, { payment_split_percentage: 0.65 }),
    send(
      product.app,
      'PATCH /api/communities/{id}',
      { params: { id: tight }, body: { split_percentage: 35 } },
      superAdmin,
    ),
  ]);
  const [stored] = await owner<{ left: string }>(
    `SELECT 100 - p.payment_split_percentage * 100 - c.split_percentage AS left FROM provider p, community c
     WHERE p.id = $1 AND c.id = $2`,
    [id, tight],
  );
  expect(Number(stored?.left)).toBeGreaterThanOrEqual(0);
  expect([share.statusCode, split.statusCode]).toContain(200);
});

test('the address of a new provider is held like a changed one, and its author does not release it', async () => {
  const address = newAddress();
  const { id } = await created({ payout_address: address.toLowerCase() });
  const changed = async (as: string) =>
    (
      await send(product.app, 'GET /api/super-admin/providers/{id}/payout-address', { params: { id } }, as)
    ).json().data;
  const mine = await changed(superAdmin);
  expect(mine).toMatchObject({ address, released_by: null, can_release: false });
  expect(mine.payable_from).not.toBeNull();
  expect((await changed(other)).can_release).toBe(true);
  const release = (as: string) =>
    send(
      product.app,
      'POST /api/super-admin/payout-addresses/{id}/release',
      { params: { id: mine.change_id } },
      as,
    );
  expect((await release(superAdmin)).json().error).toBe('own_release');
  expect((await release(other)).statusCode).toBe(200);
  expect(await changed(other)).toMatchObject({
    awaits_release: false,
    released_by: 'super-2@demo.example',
  });
  const without = await created();
  const never = await send(
    product.app,
    'GET /api/super-admin/providers/{id}/payout-address',
    { params: { id: without.id } },
    superAdmin,
  );
  expect(never.json().data).toBeNull();
});

test('invoices are disabled and enabled, each with a line in the history', async () => {
  const { id } = await created();
  const set = (invoicing_enabled: boolean) =>
    send(
      product.app,
      'PATCH /api/providers/{id}/invoicing',
      { params: { id }, body: { invoicing_enabled } },
      superAdmin,
    );
  expect((await set(false)).json().data.invoicing_enabled).toBe(false);
  await set(false);
  expect((await set(true)).json().data.invoicing_enabled).toBe(true);
  const { data } = await read('history', id);
  expect(data.map(({ action }: { action: string }) => action)).toEqual([
    'provider.invoicing_changed',
    'provider.invoicing_changed',
    'provider.created',
  ]);
});

test('staff see their own provider without its settings, and no other', async () => {
  const [{ id: own } = { id: '' }] = await owner<{ id: string }>(
    `SELECT id FROM provider WHERE name = 'aurora'`,
  );
  const seen = (await send(product.app, 'GET /api/providers/{id}', { params: { id: own } }, staff)).json()
    .data;
  expect(Object.keys(seen)).not.toContain('payout_address');
  expect(seen).toMatchObject({ id: own, name: 'aurora' });
  const { data: communities } = await read('communities', own, staff);
  expect(communities.length).toBeGreaterThan(0);
  expect(Object.keys(communities[0])).not.toContain('split_percentage');
  const [{ id: foreign } = { id: '' }] = await owner<{ id: string }>(
    `SELECT id FROM provider WHERE name = 'dune'`,
  );
  expect((await read('communities', foreign, staff)).error).toBe('not_found');
});

test('an empty list of exchanges means all, and Hyperliquid is always accepted', async () => {
  const supported = async (id: string) =>
    (await read('exchanges', id)).data.flatMap((row: { exchange: string; is_supported: boolean }) =>
      row.is_supported ? row.exchange : [],
    );
  const all = ['binance', 'bybit', 'hyperliquid', 'kucoin', 'okx'];
  const { id: open } = await created();
  expect(await supported(open)).toEqual(all);
  const { id } = await created({ supported_exchanges: ['kucoin'] });
  expect(await supported(id)).toEqual(['hyperliquid', 'kucoin']);

  const available = async (providerId: string) => {
    const communityId = await addCommunity(owner, [providerId]);
    const traderId = await addBareTrader(owner, {
      community_id: communityId,
      selected_provider_id: providerId,
    });
    const { data } = (
      await send(
        product.app,
        'GET /api/traders/{id}/available-exchanges',
        { params: { id: traderId } },
        superAdmin,
      )
    ).json();
    return data.map(({ exchange }: { exchange: string }) => exchange);
  };
  expect(await available(open)).toEqual(all);
  expect(await available(id)).toEqual(['hyperliquid', 'kucoin']);
});

test('the figures are those of the rows behind them', async () => {
  const [{ id } = { id: '' }] = await owner<{ id: string }>(`SELECT id FROM provider WHERE name = 'aurora'`);
  const { data } = await read('figures', id);
  const [rows] = await owner<Record<string, string>>(
    `SELECT (SELECT count(*) FROM trader t WHERE t.selected_provider_id = $1 OR EXISTS (
         SELECT FROM exchange_account a WHERE a.trader_id = t.id AND a.provider_id = $1 AND a.removed_at IS NULL)) AS traders,
       (SELECT trim_scale(coalesce(sum(equity), 0)) FROM exchange_account WHERE provider_id = $1 AND removed_at IS NULL)
         + (SELECT sum(pool_capital) FROM trader WHERE id IN (SELECT trader_id FROM trader_provider WHERE provider_id = $1)) AS aum,
       (SELECT count(*) FROM invoice WHERE provider_id = $1 AND status = 'pending' AND NOT is_archived) AS unpaid,
       (SELECT count(*) FROM invoice WHERE provider_id = $1 AND status = 'paid') AS paid,
       (SELECT trim_scale(coalesce(sum(paid_units), 0) / 10::numeric ^ 18) FROM invoice WHERE provider_id = $1) AS received,
       (SELECT trim_scale(coalesce(sum(y.amount_units), 0) / 10::numeric ^ 18) FROM payable y JOIN payout o ON o.id = y.payout_id
         WHERE y.provider_id = $1 AND y.recipient_type = 'mark' AND o.status = 'distributed') AS paid_out,
       (SELECT trim_scale(coalesce(sum(amount_units), 0) / 10::numeric ^ 18) FROM payable
         WHERE provider_id = $1 AND recipient_type = 'mark' AND payout_id IS NULL AND settled_at IS NULL) AS pending`,
    [id],
  );
  expect(data.trader_count).toBe(Number(rows?.traders));
  expect(Number(data.total_aum)).toBeCloseTo(Number(rows?.aum), 6);
  expect(data.invoices.unpaid.count).toBe(Number(rows?.unpaid));
  expect(data.invoices.paid).toEqual({ count: Number(rows?.paid), amount: rows?.received });
  expect(data.share).toMatchObject({ paid_out: rows?.paid_out, pending: rows?.pending });
  expect(data.staff_count).toBe(2);
});
