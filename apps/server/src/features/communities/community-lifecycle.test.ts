import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { asOwner } from '../../../../../tests/support/owner.ts';
import { send } from '../../../../../tests/support/send.ts';
import { createTestApp, type TestApp } from '../../../../../tests/support/test-app.ts';
import { addAccount } from '../../../../../tests/support/world/accounts.ts';
import { addCommunity } from '../../../../../tests/support/world/communities.ts';
import { addInvoices, addPayables, paidOnChain } from '../../../../../tests/support/world/invoices.ts';
import { addCapital, addPool } from '../../../../../tests/support/world/pools.ts';
import { insertRow, type Owner, ownerOf } from '../../../../../tests/support/world/rows.ts';
import { beginTransaction } from '../../platform/db/begin.ts';

const USDT = 10n ** 18n;

let product: TestApp;
let owner: Owner;
let superAdmin: string;
let staff: string;
let providerId: string;
/** A community of its own for each test, without traders. */
let id: string;

beforeAll(async () => {
  product = await createTestApp({ scale: 0.05 });
  owner = ownerOf(product.ownerUrl);
  superAdmin = await product.signIn('super');
  staff = await product.signIn('staff');
  const [provider] = await asOwner(product.ownerUrl, `SELECT id FROM provider WHERE name = 'aurora'`);
  providerId = provider?.id;
});
afterAll(() => product.close());
beforeEach(async () => {
  id = await addCommunity(owner, [providerId]);
});

const archive = (query: Record<string, string> = {}) =>
  send(product.app, 'PATCH /api/super-admin/communities/{id}/archive', { params: { id }, query }, superAdmin);
const remove = () =>
  send(product.app, 'DELETE /api/super-admin/communities/{id}', { params: { id } }, superAdmin);
const addTrader = (as = staff) =>
  send(
    product.app,
    'POST /api/traders',
    { body: { community_id: id, selected_provider_id: providerId } },
    as,
  );
const actions = async () =>
  (
    await asOwner(product.ownerUrl, 'SELECT action FROM audit_entry WHERE target_id = $1 ORDER BY seq', [id])
  ).map(({ action }) => action);

test('a community without AUM is archived once, and leaves the list that does not ask for archived ones', async () => {
  expect((await archive()).json().data).toMatchObject({ id, is_archived: true });
  expect((await archive()).statusCode).toBe(200);
  expect(await actions()).toEqual(['community.archived']);
  const listed = async (query: Record<string, string>) =>
    (await send(product.app, 'GET /api/super-admin/communities', { query }, superAdmin))
      .json()
      .data.map((community: { id: string }) => community.id);
  expect(await listed({})).not.toContain(id);
  expect(await listed({ include_archived: 'true' })).toContain(id);
});

test('a community with AUM is not archived', async () => {
  const trader = (await addTrader()).json().data.id;
  await addAccount(owner, { id: trader, providerId }, { equity: '0.01', equity_read_at: new Date() });
  const refused = await archive();
  expect(refused.statusCode).toBe(409);
  expect(refused.json()).toEqual({
    success: false,
    error: 'community_has_aum',
    message: 'Cannot archive a community with non-zero AUM. Please ensure all funds are withdrawn first.',
  });
  expect(await actions()).toEqual([]);
});

test('a community whose pool has money, or is in a harvest cycle, is not archived', async () => {
  const trader = (await addTrader()).json().data.id;
  const poolId = await addPool(owner, id, { status: 'harvesting', step: 'open' });
  expect((await archive()).json().error).toBe('community_pool_open');
  await addCapital(owner, { poolId, traderId: trader, usdt: 5 });
  expect((await archive()).json()).toMatchObject({
    error: 'community_has_aum',
    message: 'Cannot archive a community with non-zero AUM. Please ensure all funds are withdrawn first.',
  });
  const [row] = await owner<{ id: string }>(`SELECT id FROM pool_member WHERE trader_id = $1`, [trader]);
  expect(row).toBeDefined();
  const removed = await send(product.app, 'DELETE /api/traders/{id}', { params: { id: trader } }, superAdmin);
  expect(removed.json().error).toBe('trader_has_records');
});

test('no trader is added to an archived community', async () => {
  await archive();
  const refused = await addTrader();
  expect(refused.statusCode).toBe(409);
  expect(refused.json().error).toBe('community_archived');
});

test('a community is not archived while a trader is being added, nor deleted', async () => {
  const held = await holdingTransaction(`SELECT FROM community WHERE id = '${id}' FOR KEY SHARE`);
  const archived = archive();
  const deleted = remove();
  await held.insertTraderAndCommit();
  expect((await archived).statusCode).toBe(200); // without AUM it is still allowed, and saw the trader
  expect((await deleted).json().error).toBe('community_has_traders');
});

test('adding a trader waits for archiving or deletion, and is refused', async () => {
  const attempts = Array.from({ length: 8 }, (_, n) => (n === 3 ? archive() : addTrader()));
  const answers = await Promise.all(attempts);
  const statuses = answers.map(({ statusCode }) => statusCode);
  expect(statuses[3]).toBe(200);
  const added = statuses.filter((status) => status === 201).length;
  const [{ count } = { count: -1 }] = await asOwner(
    product.ownerUrl,
    'SELECT count(*)::int AS count FROM trader WHERE community_id = $1',
    [id],
  );
  expect(count).toBe(added);
  expect(statuses.filter((status) => ![200, 201, 409].includes(status))).toEqual([]);
  expect((await addTrader()).statusCode).toBe(409);
});

test('a community without traders is deleted, and is missing from then on', async () => {
  expect((await remove()).json()).toEqual({ success: true, data: { id } });
  expect((await remove()).statusCode).toBe(404);
  expect((await addTrader()).statusCode).toBe(404);
  expect(await actions()).toEqual(['community.deleted']);
});

test('one with traders is not', async () => {
  await addTrader();
  const refused = await remove();
  expect(refused.statusCode).toBe(409);
  expect(refused.json()).toEqual({
    success: false,
    error: 'community_has_traders',
    message: 'Cannot delete a community with active traders. Please remove all traders first.',
  });
});

test('a community that money went through cannot be deleted, and the answer says why', async () => {
  await asOwner(
    product.ownerUrl,
    `WITH pool AS (INSERT INTO pooled_account (community_id, minimum_deposit_units, proxy_address)
       VALUES ($1, 1, '0x' || repeat('a', 40)))
     INSERT INTO ledger_account (kind, owner_id, asset) VALUES ('community_wallet', $1, 'USDT')`,
    [id],
  );
  const refused = await remove();
  expect(refused.statusCode).toBe(409);
  expect(refused.json()).toEqual({
    success: false,
    error: 'delete_community_failed',
    message: 'Failed to delete community: it has a pooled account, its wallet has entries in the ledger',
    details: [
      { path: 'pooled_account', message: 'it has a pooled account' },
      { path: 'ledger', message: 'its wallet has entries in the ledger' },
    ],
  });
});

test('staff neither archive nor delete', async () => {
  for (const call of [
    'PATCH /api/super-admin/communities/{id}/archive',
    'DELETE /api/super-admin/communities/{id}',
  ]) {
    const refused = await send(product.app, call, { params: { id } }, staff);
    expect(refused.json().error).toBe('super_admin_required');
  }
});

/** A transaction that holds a community as one does that is about to add a trader. */
async function holdingTransaction(lock: string) {
  const client = await product.db.pool.connect();
  await beginTransaction(client, 'BEGIN', { scope: { kind: 'all' } });
  await client.query(lock);
  return {
    async insertTraderAndCommit() {
      await new Promise((resolve) => setTimeout(resolve, 100));
      await client.query(`INSERT INTO trader (community_id, referral_code, selected_provider_id)
        VALUES ('${id}', gen_random_uuid(), '${providerId}')`);
      await client.query('COMMIT');
      client.release();
    },
  };
}

test('an archived community is restored, once', async () => {
  const restore = () =>
    send(product.app, 'PATCH /api/super-admin/communities/{id}/restore', { params: { id } }, superAdmin);
  expect((await restore()).json()).toMatchObject({ error: 'community_not_archived' });
  await archive();
  expect((await addTrader()).statusCode).toBe(409);
  expect((await restore()).json().data).toMatchObject({ id, is_archived: false });
  expect((await restore()).json()).toMatchObject({ error: 'community_not_archived' });
  expect((await addTrader()).statusCode).toBe(201);
  expect(await actions()).toEqual(['community.archived', 'community.restored']);
});

test('a community that owes shares is not archived before they are paid', async () => {
  const trader = (await addTrader()).json().data.id;
  const [payable] = await addPayables(owner, await addInvoices(owner, trader, paidOnChain(5n)));
  expect((await archive()).json()).toMatchObject({
    error: 'community_has_pending_shares',
    message:
      'Cannot archive a community that still owes its recipients. Distribute the pending shares first.',
  });
  await asOwner(product.ownerUrl, 'UPDATE payable SET settled_at = now() WHERE id = $1', [payable]);
  expect((await archive()).statusCode).toBe(200);
});

test('a community with open invoices is not archived, and the answer names them', async () => {
  const trader = (await addTrader()).json().data.id;
  await addInvoices(owner, trader, { amount_units: 50n * USDT });
  const [large] = await addInvoices(owner, trader, { amount_units: 100n * USDT, paid_units: 10n * USDT });
  await addInvoices(owner, trader, { amount_units: 7n * USDT, is_archived: true });
  const refused = await archive();
  expect(refused.statusCode).toBe(409);
  expect(refused.json()).toMatchObject({
    error: 'community_has_open_invoices',
    message: expect.stringContaining('140 USDT of 2 invoices'),
    details: [
      { path: large, message: expect.stringContaining('90 USDT') },
      { message: expect.stringContaining('50 USDT') },
    ],
  });
  await owner("UPDATE invoice SET status = 'cancelled' WHERE trader_id = $1", [trader]);
  expect((await archive()).statusCode).toBe(200);
});

test('credit of its traders is named before a community is archived with it', async () => {
  const trader = (await addTrader()).json().data.id;
  await insertRow(owner, 'payment', {
    trader_id: trader,
    source_type: 'test',
    source_id: id,
    amount_units: 30n * USDT,
    open_units: 20n * USDT,
    received_at: new Date(),
  });
  expect((await archive()).json()).toMatchObject({
    error: 'community_has_credit',
    message: expect.stringContaining('20 USDT of 1 trader'),
    details: [{ path: trader, message: expect.stringContaining('20 USDT') }],
  });
  expect((await archive({ with_credit: 'true' })).statusCode).toBe(200);
});

test('an archived community that still owes shares stays in the list', async () => {
  const trader = (await addTrader()).json().data.id;
  const [payable] = await addPayables(owner, await addInvoices(owner, trader, paidOnChain(5n)));
  // As a version before left it.
  await owner('UPDATE community SET is_archived = true, archived_at = now() WHERE id = $1', [id]);
  const listed = async () =>
    (await send(product.app, 'GET /api/super-admin/communities', { query: {} }, superAdmin))
      .json()
      .data.filter((community: { id: string }) => community.id === id);
  expect(await listed()).toMatchObject([{ is_archived: true, owes_shares: true }]);
  await owner('UPDATE payable SET settled_at = now() WHERE id = $1', [payable]);
  expect(await listed()).toEqual([]);
});
