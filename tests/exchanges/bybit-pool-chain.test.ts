import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort, openDemoToken, startChain } from '@copydesk/simulators/chain';
import { type OwnerHabit, openPoolChain, startOwners } from '@copydesk/simulators/pools';
import { DEMO_HOT_WALLET, DEMO_TOKEN_OWNER } from '@copydesk/simulators/world';
import { createTestClient, getAddress, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { bsc } from 'viem/chains';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { poolAccount, poolState, startSimulatedPools } from '../support/exchanges/simulated-pools.ts';
import { until } from '../support/until.ts';

const NOW = { priority: 'interactive' } as const;
const USDT = 10n ** 18n;
const FEE = (3n * USDT) / 10n;
const DAY_MS = 86_400_000;
const one = poolAccount(1);
const { uid, depositAddress } = poolState(1);
const proxy = privateKeyToAccount(`0x${'7'.repeat(64)}`);
const deposit = getAddress(depositAddress);

let local: Awaited<ReturnType<typeof startChain>>;
let token: Awaited<ReturnType<typeof openDemoToken>>;
beforeAll(async () => {
  local = await startChain({ port: await findFreePort(), blockSeconds: null, stateFile: null });
  token = await openDemoToken(local.url, DEMO_TOKEN_OWNER);
  await token.mint(DEMO_HOT_WALLET.address, 1_000_000n * USDT);
});
afterAll(() => local.stop());

const mine = (blocks: number) =>
  createTestClient({ chain: bsc, transport: http(local.url), mode: 'anvil' }).mine({ blocks });

const openChain = () =>
  openPoolChain({ rpcUrl: local.url, token: token.address, hotWallet: DEMO_HOT_WALLET });

/** Pools on the local chain; they look at it only on request. */
async function setUp(stateFile: string | null = null) {
  const chain = await openChain();
  return startSimulatedPools([poolState(1)], { pools: { chain, stateFile, lookEveryMs: 1_000_000 } });
}

async function fund(venue: Awaited<ReturnType<typeof setUp>>, units: bigint) {
  await token.mint(proxy.address, units);
  const txId = await token.transfer(proxy, deposit, units);
  await mine(3);
  await venue.pools.look();
  return txId;
}

test('a transfer to the deposit address is seen, confirmed after three blocks, and credited', async () => {
  await using venue = await setUp();
  await token.mint(proxy.address, 250n * USDT + 7n);
  const txId = await token.transfer(proxy, deposit, 250n * USDT + 7n);
  await venue.pools.look();
  const read = async () => (await venue.reads.listDeposits(one, { txId }, NOW)).deposits;
  expect(await read()).toMatchObject([
    {
      state: 'under_way',
      status: 1,
      amountUnits: 250n * USDT + 7n,
      toAddress: depositAddress,
    },
  ]);
  await mine(2);
  await venue.pools.look();
  expect(await read()).toMatchObject([{ state: 'under_way' }]);
  await mine(1);
  await venue.pools.look();
  await venue.pools.look();
  expect(await read()).toMatchObject([{ state: 'credited' }]);
  expect((await venue.reads.readBalances(one, NOW)).funding.ownUnits % 10n).toBe(7n);
});

test("a withdrawal is a transfer from the venue's wallet, found by its transaction", async () => {
  await using venue = await setUp();
  await fund(venue, 100n * USDT);
  const before = await token.balanceOf(proxy.address);
  venue.pools.withdraw(uid, proxy.address, 60n * USDT);
  const list = async () =>
    (await venue.reads.listWithdrawals(one, { sinceMs: venue.now() - DAY_MS, untilMs: venue.now() }, NOW))
      .withdrawals;
  expect(await list()).toMatchObject([{ state: 'under_way', txId: null }]);
  await venue.pools.look();
  expect(await list()).toMatchObject([
    { state: 'done', txId: expect.stringMatching(/^0x/), amountUnits: 60n * USDT, feeUnits: FEE },
  ]);
  expect((await token.balanceOf(proxy.address)) - before).toBe(60n * USDT);
});

test('a venue that was killed while it sent a withdrawal pays it once, and forgets no deposit', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'copydesk-pools-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const stateFile = join(folder, 'pools.json');
  const before = await token.balanceOf(proxy.address);
  {
    const chain = await openChain();
    // The chain has the transaction, and the venue does not know.
    const cut = {
      ...chain,
      send: async (raw: `0x${string}`) => {
        await chain.send(raw);
        throw new Error('cut');
      },
    };
    const broken = { chain: cut, stateFile, lookEveryMs: 1_000_000 };
    await using venue = await startSimulatedPools([poolState(1)], { pools: broken });
    await fund(venue, 500n * USDT);
    venue.pools.withdraw(uid, proxy.address, 60n * USDT);
    await expect(venue.pools.look()).rejects.toThrow('cut');
  }
  await using venue = await setUp(stateFile);
  await venue.pools.look();
  await venue.pools.look();
  expect((await token.balanceOf(proxy.address)) - before).toBe(60n * USDT);
  const { deposits } = await venue.reads.listDeposits(one, { sinceMs: 0, untilMs: venue.now() }, NOW);
  expect(new Set(deposits.map(({ id }) => id)).size).toBe(deposits.length);
  expect(deposits[0]).toMatchObject({ amountUnits: 500n * USDT, state: 'credited' });
});

test('a whole cycle: funded, moved, traded, and withdrawn by the owner', async () => {
  await using venue = await setUp();
  const opening = (await fundAndRead(venue)).totalUnits;
  const move = { transferId: randomUUID(), amountUnits: opening - (opening % 10n ** 10n) };
  expect(await venue.reads.moveToUnified(one, move, NOW)).toMatchObject({ state: 'done' });
  const sinceMs = venue.now() + 1;
  venue.advance(1);
  venue.pools.startTrading(uid, 60_000);
  venue.advance(600_000);
  venue.pools.stopTrading(uid);
  const closing = (await venue.reads.readBalances(one, NOW)).totalUnits;
  const { byType } = await venue.reads.sumTransactionLog(one, { sinceMs, untilMs: venue.now() }, NOW);
  expect(byType).toEqual({ TRADE: closing - opening });

  const before = await token.balanceOf(proxy.address);
  const owners = startOwners({
    owners: [{ uid, chatId: '1', habit: 'prompt' }],
    pools: venue.pools,
    outbox: {
      list: () => [{ message_id: 1, chat_id: '1', html: '', text: `Withdraw to ${proxy.address}`, at: 0 }],
    },
    sendFromOutside: null,
    pace: 0.001,
  });
  onTestFinished(() => owners.stop());
  await until(async () => venue.pools.get(uid).withdrawals.length === 1, 10_000);
  await venue.pools.look();
  const returned = (await token.balanceOf(proxy.address)) - before;
  const dust = (await venue.reads.readBalances(one, NOW)).totalUnits;
  expect(returned + FEE + dust).toBe(closing);
  expect(dust).toBeLessThan(10n ** 10n);
});

/** Messages to owners, as Telegram has them. */
function createOutbox() {
  const sent: { message_id: number; chat_id: string; html: string; text: string; at: number }[] = [];
  return {
    looks: 0,
    list() {
      this.looks += 1;
      return sent;
    },
    send: (text: string) => sent.push({ message_id: sent.length + 1, chat_id: '1', html: '', text, at: 0 }),
  };
}

test.each([
  ['by a bot', undefined],
  ['by hand', { everyMs: 600_000, openMs: 1_000 }],
])(
  'an owner of a pool that is traded %s withdraws at each harvest, without a trade between two as well',
  async (_how, pace) => {
    await using venue = await setUp();
    const outbox = createOutbox();
    const owners = startOwners({
      owners: [{ uid, chatId: '1', habit: 'prompt', ...(pace && { tradesByHand: pace }) }],
      pools: venue.pools,
      outbox,
      sendFromOutside: null,
      pace: 0.001,
    });
    onTestFinished(() => owners.stop());
    for (let nth = 1; nth <= 2; nth += 1) {
      await fund(venue, 100n * USDT);
      await venue.reads.moveToUnified(one, { transferId: randomUUID(), amountUnits: 100n * USDT }, NOW);
      // A bot trades because it is told to; an owner because the money is there.
      if (nth === 1 || !pace) venue.pools.startTrading(uid, 600_000, pace?.openMs);
      else await until(async () => venue.pools.get(uid).trading !== null, 10_000);
      if (!pace) venue.pools.stopTrading(uid);
      outbox.send(`Withdraw to ${proxy.address}`);
      await until(async () => venue.pools.get(uid).withdrawals.length === nth, 10_000);
      expect(venue.pools.get(uid).trading).toBe(null);
      // A reminder changes nothing.
      outbox.send(`Withdraw to ${proxy.address}`);
      const { looks } = outbox;
      await until(async () => outbox.looks > looks + 1, 10_000);
      await venue.pools.look();
      await venue.pools.look();
      expect(venue.pools.get(uid).withdrawals.map(({ status }) => status)).toEqual(
        Array(nth).fill('success'),
      );
      expect(venue.pools.get(uid).trades).toBe(0);
    }
  },
);

test('an owner does not withdraw while a bot trades', async () => {
  await using venue = await setUp();
  const outbox = createOutbox();
  const owners = startOwners({
    owners: [{ uid, chatId: '1', habit: 'prompt' }],
    pools: venue.pools,
    outbox,
    sendFromOutside: null,
    pace: 0.001,
  });
  onTestFinished(() => owners.stop());
  await fund(venue, 100n * USDT);
  venue.pools.startTrading(uid, 600_000);
  owners.ask(uid, proxy.address);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(venue.pools.get(uid).withdrawals).toEqual([]);
});

test('the venue pays withdrawals for ten cycles: what its wallet lacks it collects from its deposit addresses', async () => {
  await using venue = await setUp();
  const most = await token.balanceOf(DEMO_HOT_WALLET.address);
  // Each cycle withdraws a third of what the wallet had at first.
  for (let nth = 0; nth < 10; nth += 1) {
    await fund(venue, most / 3n);
    await venue.reads.moveToUnified(one, { transferId: randomUUID(), amountUnits: most / 3n }, NOW);
    expect(venue.pools.withdraw(uid, proxy.address, 'all')).toHaveProperty('withdrawal');
    for (let look = 0; look < 3; look += 1) await venue.pools.look();
    expect(venue.pools.get(uid).withdrawals.at(-1)?.status).toBe('success');
  }
});

async function fundAndRead(venue: Awaited<ReturnType<typeof setUp>>) {
  await fund(venue, 1_000n * USDT);
  return venue.reads.readBalances(one, NOW);
}

test.each<[OwnerHabit, { returned: bigint; withdrawals: number; isLeft: boolean }]>([
  ['prompt', { returned: 1_000n * USDT - FEE, withdrawals: 1, isLeft: false }],
  ['late', { returned: 1_000n * USDT - FEE, withdrawals: 1, isLeft: false }],
  ['in_parts', { returned: 1_000n * USDT - 3n * FEE, withdrawals: 3, isLeft: false }],
  ['too_little', { returned: 500n * USDT, withdrawals: 1, isLeft: true }],
  ['wrong_address', { returned: 0n, withdrawals: 1, isLeft: false }],
  ['twice', { returned: 2_000n * USDT - FEE, withdrawals: 1, isLeft: false }],
  ['never', { returned: 0n, withdrawals: 0, isLeft: true }],
])('an owner of the habit %s', async (habit, { returned, withdrawals, isLeft }) => {
  // Without the chain's deposits of the tests before: the account is filled by hand.
  await using venue = await setUp();
  await venue.pools.look();
  venue.pools.change(uid, (pool) => Object.assign(pool, poolState(1, { funding: 1_000n * USDT })));
  const before = await token.balanceOf(proxy.address);
  const outside = privateKeyToAccount(`0x${'8'.repeat(64)}`);
  await token.mint(outside.address, 5_000n * USDT);
  const owners = startOwners({
    owners: [{ uid, chatId: '1', habit }],
    pools: venue.pools,
    outbox: null,
    sendFromOutside: (to, units) => token.transfer(outside, to, units),
    pace: 0.001,
  });
  onTestFinished(() => owners.stop());
  owners.ask(uid, proxy.address);
  await until(async () => {
    await venue.pools.look();
    const isSent = venue.pools.get(uid).withdrawals.length === withdrawals;
    return isSent && (await token.balanceOf(proxy.address)) - before === returned;
  }, 10_000);
  // Nothing follows a reminder.
  owners.ask(uid, proxy.address);
  await new Promise((resolve) => setTimeout(resolve, 100));
  await venue.pools.look();
  expect((await token.balanceOf(proxy.address)) - before).toBe(returned);
  expect(venue.pools.get(uid).withdrawals).toHaveLength(withdrawals);
  const { totalUnits } = await venue.reads.readBalances(one, NOW);
  expect(totalUnits > 2n * USDT).toBe(isLeft);
});
