import type { Call, CallAnswer, CallInput } from '@copydesk/contract';
import type { PooledAccount, PoolMember } from '@copydesk/contract/pools';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { send } from '../../../../../tests/support/send.ts';
import { watchOf } from '../../../../../tests/support/world/chain-watch.ts';
import { addCommunity } from '../../../../../tests/support/world/communities.ts';
import {
  createInvoicingWorld,
  type InvoicingWorld,
} from '../../../../../tests/support/world/invoicing-world.ts';
import { createPayingChain, type PayingChain } from '../../../../../tests/support/world/paying-chain.ts';
import { addCapital, addPool } from '../../../../../tests/support/world/pools.ts';
import type { SmallTrader } from '../../../../../tests/support/world/traders.ts';
import { engineOf } from '../../../../../tests/support/world/transfer-engine.ts';
import { usdt } from '../../../../../tests/support/world/usdt.ts';
import { watchChain } from '../deposits/watch/watch-chain.ts';
import { reconcileWallets } from '../transfers/reconciliation/reconcile-wallets.ts';
import { setUpPoolAddresses } from './addresses/set-up-pool-addresses.ts';
import { createPoolDepositReceiver } from './deposits/receive-pool-deposits.ts';

let world: InvoicingWorld;
let chain: PayingChain;
let providers: string[];
let communityId: string;
let poolId: string;
beforeAll(async () => {
  chain = await createPayingChain();
  world = await createInvoicingWorld({ env: { TOKEN_ADDRESS: chain.token.address } });
  // Staff of one provider have the first of them.
  const [staff] = await world.owner<{ ids: string[] }>(
    `SELECT array_agg(id ORDER BY lower(name)) AS ids FROM provider`,
  );
  providers = staff?.ids ?? [];
});
afterAll(async () => {
  await chain?.stop();
  await world?.close();
});
beforeEach(async () => {
  communityId = await addCommunity(world.owner, providers);
  poolId = await addPool(world.owner, communityId);
  await world.owner('DELETE FROM chain_cursor');
  await chain.finalize();
  await read();
});

type Caller = 'super' | 'staff' | 'staff-multi';
const sendAs = async (persona: Caller, key: Call, input: object = {}) =>
  send(world.app, key, input, await world.signIn(persona));
async function ask<K extends Call>(key: K, input: CallInput<K>, as: Caller = 'super') {
  return (await sendAs(as, key, input)).json() as CallAnswer<K>;
}
const join = (traderId: string, pool = poolId) =>
  sendAs('super', 'POST /api/pooled-accounts/{id}/traders', {
    params: { id: pool },
    body: { trader_id: traderId },
  });
const addMember = async (providerId = providers[0] as string) => {
  const trader = await world.addTrader({ community_id: communityId, selected_provider_id: providerId });
  const member: PoolMember = (await join(trader.id)).json().data;
  await setUpPoolAddresses(engine());
  return { ...member, traderId: trader.id, address: await addressOf(member.id) };
};
const engine = () => engineOf(world, { url: chain.url, tokenAddress: chain.token.address });
const addressOf = async (memberId: string) => {
  const [row] = await world.owner<{ address: string }>(
    'SELECT deposit_address AS address FROM pool_member WHERE id = $1',
    [memberId],
  );
  return row?.address as string;
};
const pool = async (as: Caller = 'super'): Promise<PooledAccount> =>
  (await ask('GET /api/pooled-accounts/{id}', { params: { id: poolId } }, as)).data;

async function read(): Promise<void> {
  const watch = watchOf(world, chain, { receivers: [createPoolDepositReceiver({ log: world.log })] });
  while (await watchChain(watch)) {
    // until the final block
  }
}
async function deposit(address: string, units: bigint): Promise<string> {
  const hash = await chain.pay(address, units);
  await chain.finalize();
  await read();
  return hash;
}
const differing = () => reconcileWallets({ ...engine(), tokenAddress: chain.token.address.toLowerCase() });

test('a trader joins once, and gets a deposit address that invoices do not use', async () => {
  const trader = await world.addTrader({ community_id: communityId });
  const [first, again] = await Promise.all([join(trader.id), join(trader.id)]);
  expect(first.json().data).toMatchObject({
    trader: { id: trader.id },
    virtual_balance: '0',
    pending_deposits: '0',
    deposit_address: null,
  });
  expect(again.json().data.id).toBe(first.json().data.id);
  const audited = await world.owner(
    `SELECT FROM audit_entry WHERE action = 'pool.member_joined' AND target_id = $1`,
    [trader.id],
  );
  expect(audited).toHaveLength(1);
  await setUpPoolAddresses(engine());
  const address = await addressOf(first.json().data.id);
  const { keys } = engine();
  const [{ index } = { index: 0 }] = await world.owner<{ index: number }>(
    'SELECT deposit_index AS index FROM pool_member WHERE id = $1',
    [first.json().data.id],
  );
  expect(address).toBe(keys.addressOf({ role: 'pool_deposit', keyIndex: index }));
  expect(address).not.toBe(keys.addressOf({ role: 'deposit', keyIndex: index }));
  const [proxy] = await world.owner<{ address: string; index: number }>(
    'SELECT proxy_address AS address, proxy_index AS index FROM pooled_account WHERE id = $1',
    [poolId],
  );
  expect(proxy?.address).toBe(keys.addressOf({ role: 'pool_proxy', keyIndex: proxy?.index as number }));
});

test('only traders of the community join, and only an active pool', async () => {
  const trader = await world.addTrader({ community_id: communityId });
  const other = await addPool(world.owner, await addCommunity(world.owner, providers));
  expect((await join(trader.id, other)).json().error).toBe('trader_not_in_community');
  await world.owner('UPDATE pooled_account SET is_active = false WHERE id = $1', [poolId]);
  expect((await join(trader.id)).json().error).toBe('pool_inactive');
  const { pooled_accounts: active } = await ask('GET /api/pooled-accounts', { query: {} });
  expect(active.map(({ id }) => id)).not.toContain(poolId);
  const { pooled_accounts: all } = await ask('GET /api/pooled-accounts', {
    query: { include_inactive: 'true' },
  });
  expect(all.map(({ id }) => id)).toContain(poolId);
});

test('a deposit is pending once it is final, whatever the pool does, and is booked once', async () => {
  const { id, traderId, address } = await addMember();
  const before = (await ask('GET /api/admin/bsc-pending-deposits', {})).data;
  const hash = await chain.pay(address, usdt(120));
  await read();
  expect(await pool()).toMatchObject({ pending_deposits: '0', trader_count: 0 });
  await chain.finalize();
  await read();
  // A restored cursor reads the same blocks again.
  const final = await chain.node.getBlock({ blockTag: 'finalized' });
  const earlier = await chain.node.getBlock({ blockNumber: final.number - 4n });
  await world.owner('UPDATE chain_cursor SET block_number = $1, block_hash = $2', [
    Number(earlier.number),
    earlier.hash,
  ]);
  await read();
  await deposit(address, 1n);
  expect(await pool()).toMatchObject({
    pending_deposits: '120.000000000000000001',
    total_virtual_balance: '0',
    trader_count: 1,
    proxy_balance: '0',
    bybit_balance: '0',
  });
  const after = (await ask('GET /api/admin/bsc-pending-deposits', {})).data;
  expect(after.poolsWithPending).toBe(before.poolsWithPending + 1);
  expect(after.poolBreakdown).toContainEqual({
    poolId,
    communityName: `Community ${communityId}`,
    harvestStatus: 'stopped',
    pendingUSDT: '120.000000000000000001',
  });
  const listed = await ask('GET /api/pooled-accounts/{id}/traders', {
    params: { id: poolId },
    query: { showPendingOnly: 'true' },
  });
  expect(listed.meta).toEqual({
    total: 1,
    virtual_balance: '0',
    pending_deposits: '120.000000000000000001',
  });
  expect(listed.data).toMatchObject([{ id, trader: { id: traderId }, deposit_address: address }]);
  const { data, meta } = await ask('GET /api/pooled-accounts/{id}/transactions', {
    params: { id: poolId },
    query: {},
  });
  expect(meta.total).toBe(2);
  expect(data.map(({ kind, status, amount }) => [kind, status, amount])).toEqual([
    ['deposit', 'pending', '0.000000000000000001'],
    ['deposit', 'pending', '120'],
  ]);
  expect(data[1]?.transaction_hash).toBe(hash);
  expect(await differing()).toBe(0);
});

test('tokens that leave a pool address without a transfer of ours freeze it', async () => {
  const { id, address } = await addMember();
  await deposit(address, usdt(5));
  await chain.setTokens(address, usdt(4));
  await chain.finalize();
  await read();
  expect(await differing()).toBe(1);
  const [wallet] = await world.owner<{ frozen_because: string }>(
    `SELECT frozen_because FROM chain_wallet WHERE owner_id = $1 AND role = 'pool_deposit'`,
    [id],
  );
  expect(wallet?.frozen_because).toBeTruthy();
});

test('a deposit beyond the ledger is set aside, and the others are booked', async () => {
  const { traderId, address } = await addMember();
  await chain.pay(address, 10n ** 38n);
  await deposit(address, usdt(7));
  expect(await pool()).toMatchObject({ pending_deposits: '7' });
  const aside = await world.owner('SELECT reason FROM deposit_set_aside WHERE trader_id = $1', [traderId]);
  expect(aside).toEqual([{ reason: 'amount_too_large' }]);
});

test("staff see a pool with their own traders' members, and no balance of the pool itself", async () => {
  const own = await addMember(providers[0]);
  const foreign = await addMember(providers[1]);
  await deposit(own.address, usdt(3));
  await deposit(foreign.address, usdt(40));
  expect(await pool('staff')).toMatchObject({
    trader_count: 1,
    pending_deposits: '3',
    proxy_balance: null,
    bybit_balance: null,
    bybit_read: null,
    current_harvest_cycle: { status: 'stopped', step: 'trading', cycle_number: 1 },
  });
  expect(await pool()).toMatchObject({ trader_count: 2, pending_deposits: '43', proxy_balance: '0' });
  const { data, meta } = await ask(
    'GET /api/pooled-accounts/{id}/traders',
    { params: { id: poolId }, query: {} },
    'staff',
  );
  expect(data.map(({ id, share_percentage: share }) => [id, share])).toEqual([[own.id, null]]);
  expect(meta).toMatchObject({ total: 1, pending_deposits: '3' });
  const seen = await ask(
    'GET /api/pooled-accounts/{id}/transactions',
    { params: { id: poolId }, query: {} },
    'staff',
  );
  expect(seen.data.map(({ trader }) => trader.id)).toEqual([own.traderId]);
  for (const key of [
    'GET /api/pooled-accounts/{id}/stats',
    'GET /api/pooled-accounts/global/harvest/status',
    'GET /api/admin/bsc-pending-deposits',
  ] as const)
    expect((await sendAs('staff', key, { params: { id: poolId } })).json().error).toBe(
      'super_admin_required',
    );
});

test('sums of staff equal those of the members that they see, whatever providers these have', async () => {
  const [one, two, three] = providers as [string, string, string];
  const traders = await Promise.all(
    [one, two, two, three].map((provider) =>
      world.addTrader({ community_id: communityId, selected_provider_id: provider }),
    ),
  );
  const [first, second, third, fourth] = traders as [SmallTrader, SmallTrader, SmallTrader, SmallTrader];
  const check = async () => {
    for (const as of ['super', 'staff', 'staff-multi'] as const) {
      const { data } = await ask(
        'GET /api/pooled-accounts/{id}/traders',
        { params: { id: poolId }, query: {} },
        as,
      );
      const sum = (of: (member: PoolMember) => string) =>
        data.reduce((total, member) => total + Number(of(member)), 0);
      const {
        total_virtual_balance: capital,
        pending_deposits: pending,
        trader_count: count,
      } = await pool(as);
      expect([as, Number(capital), Number(pending), count]).toEqual([
        as,
        sum((member) => member.virtual_balance),
        sum((member) => member.pending_deposits),
        data.filter((member) => Number(member.virtual_balance) + Number(member.pending_deposits) > 0).length,
      ]);
    }
  };
  await addCapital(world.owner, { poolId, traderId: first.id, usdt: 1 });
  await addCapital(world.owner, { poolId, traderId: second.id, usdt: 20 });
  await check();
  // Shared by two providers before it becomes a member, and another one after.
  await world.addAccount({ id: third.id, providerId: one });
  await addCapital(world.owner, { poolId, traderId: third.id, usdt: 300 });
  await check();
  await world.addAccount({ id: second.id, providerId: one });
  await check();
  const member: PoolMember = (await join(fourth.id)).json().data;
  await setUpPoolAddresses(engine());
  await deposit(await addressOf(member.id), usdt(4_000));
  await check();
  await world.owner('UPDATE trader SET selected_provider_id = $2 WHERE id = $1', [fourth.id, one]);
  await check();
  await world.owner('DELETE FROM exchange_credential WHERE account_id = $1', [fourth.accountId]);
  await world.owner('DELETE FROM exchange_account WHERE id = $1', [fourth.accountId]);
  await check();
  expect((await pool('staff')).total_virtual_balance).toBe('321');
});

test('settings change against the version that was seen, and one of two changes at once is made', async () => {
  const put = (body: object) =>
    sendAs('super', 'PUT /api/pooled-accounts/{id}', { params: { id: poolId }, body });
  const { version, minimum_deposit } = (
    await sendAs('super', 'GET /api/pooled-accounts/{id}', { params: { id: poolId } })
  ).json().data;
  const both = await Promise.all(['300', '301'].map((minimum) => put({ minimum_deposit: minimum, version })));
  expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
  const refused = (await put({ has_bot: true, max_drawdown_percentage: null, version })).json();
  expect(refused).toMatchObject({
    error: 'changed_meanwhile',
    details: [
      { path: 'has_bot', yours: true, theirs: expect.any(Boolean) },
      { path: 'max_drawdown_percentage', yours: null, theirs: null },
    ],
  });
  await put({ minimum_deposit });
});

test('settings change with an audit entry, and a pool with money stays active', async () => {
  const put = (body: object) =>
    sendAs('super', 'PUT /api/pooled-accounts/{id}', { params: { id: poolId }, body });
  expect((await put({ minimum_deposit: '250.5', fee_basis: 'gross_winners' })).json().data).toMatchObject({
    minimum_deposit: '250.5',
    fee_basis: 'gross_winners',
    is_active: true,
  });
  await put({ minimum_deposit: '250.50' });
  const entries = await world.owner(
    `SELECT before, after FROM audit_entry WHERE action = 'pool.changed' AND target_id = $1`,
    [poolId],
  );
  expect(entries).toEqual([
    {
      before: { minimum_deposit_units: usdt(100).toString(), fee_basis: 'net_carry' },
      after: { minimum_deposit_units: (usdt(501) / 2n).toString(), fee_basis: 'gross_winners' },
    },
  ]);
  for (const minimum_deposit of ['0', '-1', '1e3', '0.0000001', 5])
    expect((await put({ minimum_deposit })).json().error).toBe('validation_failed');
  const { address } = await addMember();
  await deposit(address, 1n);
  expect((await put({ is_active: false })).json().error).toBe('pool_has_money');
  const other = await addPool(world.owner, await addCommunity(world.owner, providers), {
    status: 'harvesting',
    step: 'open',
  });
  const refused = await sendAs('super', 'PUT /api/pooled-accounts/{id}', {
    params: { id: other },
    body: { is_active: false },
  });
  expect(refused.json().error).toBe('invalid_status');
  await world.owner(
    `UPDATE harvest_cycle SET status = 'stopped', step = 'trading' WHERE pooled_account_id = $1`,
    [other],
  );
  const changed = await sendAs('super', 'PUT /api/pooled-accounts/{id}', {
    params: { id: other },
    body: { is_active: false },
  });
  expect(changed.json().data).toMatchObject({ is_active: false });
});

test("the AUM of a community includes its members' virtual balances, within the scope", async () => {
  const own = await world.addTrader({
    community_id: communityId,
    selected_provider_id: providers[0] as string,
  });
  const foreign = await world.addTrader({
    community_id: communityId,
    selected_provider_id: providers[1] as string,
  });
  const aums = async (as: 'super' | 'staff') => {
    const { data } = await ask('GET /api/communities', { query: { include_aum: 'true' } }, as);
    const stats = await ask('GET /api/communities/{id}/stats', { params: { id: communityId } }, as);
    return [data.find(({ id }) => id === communityId)?.total_aum, stats.data.total_aum].map(Number);
  };
  const before = { super: await aums('super'), staff: await aums('staff') };
  await addCapital(world.owner, { poolId, traderId: own.id, usdt: 30 });
  await addCapital(world.owner, { poolId, traderId: foreign.id, usdt: 400 });
  // Sums are cached, and counted again once the change is known.
  await expect.poll(() => aums('super')).toEqual(before.super.map((aum) => aum + 430));
  await expect.poll(() => aums('staff')).toEqual(before.staff.map((aum) => aum + 30));
});

test('stats and the global status add up the books of active pools', async () => {
  const member = await addMember();
  await deposit(member.address, usdt(9));
  const { data: stats } = await ask('GET /api/pooled-accounts/{id}/stats', { params: { id: poolId } });
  expect(stats).toMatchObject({ capital: '0', pending: '9', member_count: 1, unbooked_result: null });
  const { data } = await ask('GET /api/pooled-accounts/global/harvest/status', {});
  const { pooled_accounts: pools } = await ask('GET /api/pooled-accounts', { query: {} });
  const sum = (of: (pool: PooledAccount) => string | null) =>
    pools.reduce((total, one) => total + Number(of(one) ?? 0), 0);
  expect(data).toMatchObject({ status: 'mixed', active_pools: pools.length });
  expect(data.counts.harvesting).toBe(1);
  expect(Number(data.total_virtual_balance)).toBeCloseTo(sum((one) => one.total_virtual_balance));
  expect(Number(data.total_proxy_balance)).toBeCloseTo(sum((one) => one.proxy_balance));
  expect(Number(data.total_bybit_balance)).toBeCloseTo(sum((one) => one.bybit_balance));
  expect(data.total_traders).toBe(pools.reduce((total, { trader_count: n }) => total + n, 0));
  const { data: harvest } = await ask('GET /api/pooled-accounts/{id}/harvest/status', {
    params: { id: poolId },
  });
  expect(harvest).toMatchObject({
    as_of: expect.any(String),
    current: { cycle_number: 1, deadline_at: null, reason: null },
    entered: [],
    cycles: [],
  });
  expect(
    (await ask('GET /api/pooled-accounts/community/{id}', { params: { id: communityId } })).data.id,
  ).toBe(poolId);
});

test('a statement begins with imported books, and staff see those of their own traders only', async () => {
  const trader = await world.addTrader({
    community_id: communityId,
    selected_provider_id: providers[0] as string,
  });
  const foreign = await world.addTrader({
    community_id: communityId,
    selected_provider_id: providers.at(-1) as string,
  });
  const outsider = await world.addTrader({
    community_id: communityId,
    selected_provider_id: providers[0] as string,
  });
  for (const { id } of [trader, foreign]) await addCapital(world.owner, { poolId, traderId: id, usdt: 500 });
  const statement = (id: string, as: Caller) => sendAs(as, 'GET /api/traders/{id}/pool', { params: { id } });
  const own = await statement(trader.id, 'staff');
  expect(own.json().data).toMatchObject({
    pool: { id: poolId, status: 'stopped' },
    member: { virtual_balance: '500', share_percentage: null },
    totals: {
      opening_balance: '500',
      deposited: '0',
      results: '0',
      fees: '0',
      withdrawn: '0',
      virtual_balance: '500',
    },
    cycles: [],
    cycle_count: 0,
  });
  expect((await statement(foreign.id, 'super')).json().data.member.share_percentage).toBe('50.0000');
  expect((await statement(foreign.id, 'staff')).statusCode).toBe(404);
  expect((await statement(outsider.id, 'staff')).json().data).toBe(null);
});
