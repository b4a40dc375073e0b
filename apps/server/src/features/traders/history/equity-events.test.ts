import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { send } from '../../../../../../tests/support/send.ts';
import { createTestApp, type TestApp } from '../../../../../../tests/support/test-app.ts';
import { addInvoicePayment, addInvoices } from '../../../../../../tests/support/world/invoices.ts';
import { type Owner, ownerOf } from '../../../../../../tests/support/world/rows.ts';
import { addTrader, type SmallTrader } from '../../../../../../tests/support/world/traders.ts';

/** The invoices and payments that are marked along a trader's equity. */
let product: TestApp;
let owner: Owner;
let staff: string;
let superAdmin: string;
let own: string;
let foreign: string;
let trader: SmallTrader;
const USDT = 10n ** 18n;

beforeAll(async () => {
  product = await createTestApp({ scale: 0.05 });
  owner = ownerOf(product.ownerUrl);
  staff = await product.signIn('staff');
  superAdmin = await product.signIn('super');
  const providers = await owner<{ id: string; name: string }>('SELECT id, name FROM provider ORDER BY name');
  own = providers.find(({ name }) => name === 'aurora')?.id as string;
  foreign = providers.find(({ name }) => name !== 'aurora')?.id as string;
});
afterAll(() => product.close());
beforeEach(async () => {
  trader = await addTrader(owner, { selected_provider_id: own });
});

const WHOLE = { from: '2020-01-01', to: '2100-01-01' };
const events = async (as = superAdmin, query = WHOLE) =>
  (await send(product.app, 'GET /api/traders/{id}/equity', { params: { id: trader.id }, query }, as)).json()
    .meta.events;
const issued = async (at: string, usdt: bigint, changes: Parameters<typeof addInvoices>[2] = {}) =>
  (
    await addInvoices(owner, trader.id, { created_at: at, amount_units: usdt * USDT, ...changes })
  )[0] as string;

test('invoices and payments are those of their day, added up, with the invoice where it is one', async () => {
  const first = await issued('2026-03-01T00:00:00Z', 100n);
  await issued('2026-03-02T10:00:00Z', 30n);
  await issued('2026-03-02T23:59:59.999Z', 12n);
  await issued('2026-03-02T12:00:00Z', 5_000n, { status: 'cancelled' });
  await addInvoicePayment(owner, first, { units: 40n * USDT, receivedAt: '2026-03-02T00:00:00Z' });
  await addInvoicePayment(owner, first, { units: USDT / 2n, receivedAt: '2026-03-02T01:00:00Z' });
  const second = [
    { day: '2026-03-02', kind: 'invoice', count: 2, amount: '42', invoice_id: null },
    { day: '2026-03-02', kind: 'payment', count: 2, amount: '40.5', invoice_id: first },
  ];
  const earlier = { day: '2026-03-01', kind: 'invoice', count: 1, amount: '100', invoice_id: first };
  expect(await events()).toEqual([...second, earlier]);
  expect(await events(superAdmin, { from: '2026-03-02', to: '2026-03-02' })).toEqual(second);
  expect(await events(superAdmin, { from: '2026-03-03', to: '2026-03-09' })).toEqual([]);
});

test('one payment of two invoices counts once', async () => {
  const [first, second] = [
    await issued('2026-01-01T00:00:00Z', 10n),
    await issued('2026-01-01T00:00:00Z', 20n),
  ];
  await addInvoicePayment(owner, first, { units: 10n * USDT, receivedAt: '2026-02-01T00:00:00Z' });
  await owner(
    `INSERT INTO invoice_payment (payment_id, invoice_id, provider_id, amount_units, received_at)
     SELECT payment_id, $2, provider_id, $3, received_at FROM invoice_payment WHERE invoice_id = $1`,
    [first, second, (7n * USDT).toString()],
  );
  expect(await events(superAdmin, { from: '2026-02-01', to: '2026-02-01' })).toEqual([
    { day: '2026-02-01', kind: 'payment', count: 1, amount: '17', invoice_id: null },
  ]);
});

test('staff see those of their own providers', async () => {
  const mine = await issued('2026-03-01T00:00:00Z', 100n);
  const theirs = await issued('2026-03-01T00:00:00Z', 900n, { provider_id: foreign });
  for (const id of [mine, theirs])
    await addInvoicePayment(owner, id, { units: 3n * USDT, receivedAt: '2026-03-01T05:00:00Z' });
  expect(await events(staff)).toEqual([
    { day: '2026-03-01', kind: 'invoice', count: 1, amount: '100', invoice_id: mine },
    { day: '2026-03-01', kind: 'payment', count: 1, amount: '3', invoice_id: mine },
  ]);
  expect(await events()).toMatchObject([
    { kind: 'invoice', count: 2, amount: '1000' },
    { kind: 'payment', count: 2, amount: '6' },
  ]);
});

test('a service reads them with the scope of invoices only', async () => {
  const id = await issued('2026-03-01T00:00:00Z', 100n);
  const token = async (scopes: ('traders:read' | 'invoices:read')[]) =>
    (
      await send(
        product.app,
        'POST /api/service-tokens',
        { body: { name: 'Bot', scopes, provider_ids: [own] } },
        superAdmin,
      )
    ).json().data.token;
  expect(await events(await token(['traders:read']))).toEqual([]);
  expect(await events(await token(['traders:read', 'invoices:read']))).toMatchObject([{ invoice_id: id }]);
});
