import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { send } from '../../../../../tests/support/send.ts';
import { createTestApp, type TestApp } from '../../../../../tests/support/test-app.ts';
import { addInvoices } from '../../../../../tests/support/world/invoices.ts';
import { insertRow, type Owner, ownerOf } from '../../../../../tests/support/world/rows.ts';
import { addTrader, type SmallTrader } from '../../../../../tests/support/world/traders.ts';

/** What a trader owes and what did not reach it, as its page begins. */
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

const standing = async (as = superAdmin, include: Record<string, string> = { include_standing: 'true' }) =>
  (await send(product.app, 'GET /api/traders/{id}', { params: { id: trader.id }, query: include }, as)).json()
    .data.standing;
const invoice = (changes: Parameters<typeof addInvoices>[2]) => addInvoices(owner, trader.id, changes);
const failed = (createdAt: string, changes: Record<string, unknown> = {}) =>
  insertRow(owner, 'message', {
    trader_id: trader.id,
    provider_id: own,
    kind: 'invoice_created',
    language: 'en',
    text: 'Hello',
    dedupe_key: randomUUID(),
    state: 'failed',
    requested_by: 'test',
    created_at: createdAt,
    ...changes,
  });

const NOTHING = {
  owed_amount: '0',
  owed_count: 0,
  oldest_owed_at: null,
  pool_count: 0,
  failed_messages: 0,
  last_failure: null,
};

test('it is answered to whoever asks for it, and begins with nothing', async () => {
  expect(await standing()).toEqual(NOTHING);
  expect(await standing(superAdmin, {})).toBeUndefined();
});

test('what is outstanding of open invoices is owed, exactly, and is what a notice says', async () => {
  await invoice({ amount_units: 319n * USDT + 200_000_000_000_000_001n, created_at: '2026-03-01T10:00:00Z' });
  await invoice({ amount_units: 100n * USDT, paid_units: 30n * USDT, created_at: '2026-02-01T10:00:00Z' });
  const paid = { status: 'paid', settled_by: 'chain', paid_at: new Date(), paid_units: 7n * USDT };
  await invoice({ amount_units: 7n * USDT, ...paid, created_at: '2025-01-01T10:00:00Z' });
  await invoice({ amount_units: 7n * USDT, status: 'cancelled' });
  await invoice({ amount_units: 7n * USDT, is_archived: true });
  await invoice({ amount_units: 7n * USDT, invoice_type: 'exchange_bot' });
  const owed = {
    ...NOTHING,
    owed_amount: '389.200000000000000001',
    owed_count: 2,
    oldest_owed_at: '2026-02-01T10:00:00Z',
  };
  expect(await standing()).toEqual(owed);

  // A message names no address but the trader's own.
  await owner('UPDATE trader SET deposit_address = $2 WHERE id = $1', [trader.id, `0x${'c'.repeat(40)}`]);
  const notice = await send(
    product.app,
    'POST /api/invoices/trader/{id}/notify',
    { params: { id: trader.id } },
    superAdmin,
  );
  expect(notice.statusCode, notice.body).toBe(200);
  const [entry] = await owner<{ after: { invoices: number; outstanding_units: string } }>(
    `SELECT after FROM audit_entry WHERE target_id = $1 AND action = 'trader.notified'`,
    [trader.id],
  );
  expect(entry?.after).toMatchObject({ invoices: 2, outstanding_units: '389200000000000000001' });
  // The list that the line leads to.
  const listed = await send(
    product.app,
    'GET /api/invoices/admin/all',
    { query: { trader_id: trader.id, status: 'pending', invoice_type: 'regular' } },
    superAdmin,
  );
  expect(listed.json().meta.total).toBe(2);
});

test('invoices of a harvest are counted beside: the pool pays them', async () => {
  const [cycle] = await owner<{ id: string }>('SELECT id FROM harvest_cycle LIMIT 1');
  await invoice({ amount_units: 5n * USDT, harvest_cycle_id: cycle?.id ?? null });
  expect(await standing()).toEqual({ ...NOTHING, pool_count: 1 });
});

test('failed messages are counted, with the problem of the latest', async () => {
  const [id] = await invoice({ is_archived: true });
  await failed('2026-03-02T10:00:00Z', { problem: 'blocked', invoice_id: id });
  await failed('2026-03-01T10:00:00Z', { problem: 'chat_not_found' });
  await failed('2026-03-03T10:00:00Z', { state: 'queued' });
  expect(await standing()).toEqual({
    ...NOTHING,
    failed_messages: 2,
    last_failure: { problem: 'blocked', invoice_id: id },
  });
});

test('staff see what is owed to their providers and what was written about that, and no more', async () => {
  await invoice({ amount_units: 10n * USDT, created_at: '2026-03-01T10:00:00Z' });
  await invoice({ amount_units: 90n * USDT, provider_id: foreign, created_at: '2026-01-01T10:00:00Z' });
  await failed('2026-03-02T10:00:00Z', { problem: 'blocked' });
  await failed('2026-03-05T10:00:00Z', { problem: 'refused', provider_id: foreign });
  await failed('2026-03-06T10:00:00Z', { problem: 'refused', provider_id: null });
  expect(await standing(staff)).toEqual({
    ...NOTHING,
    owed_amount: '10',
    owed_count: 1,
    oldest_owed_at: '2026-03-01T10:00:00Z',
    failed_messages: 1,
    last_failure: { problem: 'blocked', invoice_id: null },
  });
  expect(await standing()).toMatchObject({ owed_amount: '100', owed_count: 2, failed_messages: 3 });
});

test('a service sees it with the scope of invoices only', async () => {
  const token = async (scopes: ('traders:read' | 'invoices:read')[]) =>
    (
      await send(
        product.app,
        'POST /api/service-tokens',
        { body: { name: 'Bot', scopes, provider_ids: [own] } },
        superAdmin,
      )
    ).json().data.token;
  expect(await standing(await token(['traders:read']))).toBeUndefined();
  expect(await standing(await token(['traders:read', 'invoices:read']))).toEqual(NOTHING);
});
