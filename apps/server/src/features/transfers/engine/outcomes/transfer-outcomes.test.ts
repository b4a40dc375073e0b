import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import {
  createEngineWorld,
  type EngineWorld,
  PAID,
} from '../../../../../../../tests/support/world/engine-world.ts';
import type { OwingCommunity } from '../../../../../../../tests/support/world/owing-world.ts';
import { findUnpaid } from '../../../../../../../tests/support/world/sound-payouts.ts';

// Patience, not a measure: each test lets many blocks become final.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let world: EngineWorld;
let community: OwingCommunity;
beforeAll(async () => {
  world = await createEngineWorld();
});
afterAll(() => world?.close());
beforeEach(async () => {
  community = await world.orderPayout();
});
afterEach(() => world.heal());

test('a stuck transfer is signed again with the same nonce and a higher fee, and pays once', async () => {
  await world.untilConsolidated(community);
  await world.chain.node.setAutomine(false);
  await world.turn();
  await world.turn({ stuckMs: 0 });
  await world.turn({ stuckMs: 0 });
  const stuck = (await world.attemptsOf(community)).filter(({ kind }) => kind === 'distribute');
  const replaced = stuck.filter(({ nonce }) => nonce === '0');
  expect(replaced.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
  expect(BigInt(replaced[2]?.max_fee ?? 0)).toBeGreaterThan(BigInt(replaced[0]?.max_fee ?? 0) + 1n);
  await world.chain.node.setAutomine(true);
  await world.payOut();
  expect(await world.paidState(community)).toEqual(PAID);
});

test('a payout that is taken back before it is mined spends its nonce on nothing, and can be paid again', async () => {
  await world.untilConsolidated(community);
  await world.chain.node.setAutomine(false);
  await world.turn();
  const [first] = await world.payoutsOf(community.id);
  const id = first?.id as string;
  expect((await world.call('POST', `/api/sweep-operations/${id}/cancel`)).status).toBe(200);
  await world.turn();
  await world.chain.node.setAutomine(true);
  await world.payOut();
  const after = await world.payoutsOf(community.id);
  expect(after.find((each) => each.id === id)).toMatchObject({ status: 'failed', problem: 'cancelled' });
  expect(after.filter((each) => each.id !== id).every((each) => each.status === 'distributed')).toBe(true);
  expect(await findUnpaid(world, world.chain.token, community.id)).toEqual([]);
  expect((await world.call('POST', `/api/sweep-operations/${id}/retry`)).status).toBe(200);
  await world.payOut();
  expect(await world.paidState(community)).toEqual(PAID);
});

test("a reverted transaction pays no recipient, and is paid again only on a person's order", async () => {
  await world.untilConsolidated(community);
  await world.chain.node.setAutomine(false);
  await world.turn();
  // Another holder of the key empties the wallet in between.
  const thief = `0x${'7'.repeat(40)}` as const;
  const held = await world.chain.token.balanceOf(community.wallet as `0x${string}`);
  await world.chain.setTokens(community.wallet, 0n);
  await world.chain.node.setAutomine(true);
  await world.payOut();
  expect(await world.statusesOf(community)).toEqual(['failed']);
  const [payout] = await world.payoutsOf(community.id);
  expect(payout?.problem).toBe('reverted');
  expect(await world.chain.token.balanceOf(thief)).toBe(0n);
  await world.chain.setTokens(community.wallet, held);
  await world.payOut();
  expect(await world.statusesOf(community)).toEqual(['failed']);
  for (const { id } of await world.payoutsOf(community.id))
    expect((await world.call('POST', `/api/sweep-operations/${id}/retry`)).status).toBe(200);
  await world.payOut();
  expect(await world.paidState(community)).toEqual(PAID);
});

test('payouts above a limit wait, with the reason', async () => {
  await world.untilConsolidated(community);
  const payouts = await world.payoutsOf(community.id);
  const largest = payouts.map(({ units }) => BigInt(units)).toSorted((a, b) => (a < b ? 1 : -1))[0] as bigint;
  const limits = { perTransaction: largest - 1n, perDay: null };
  await world.turn({ limits });
  const problems = await world.owner<{ problem: string | null }>(
    `SELECT problem FROM transfer WHERE community_id = $1 AND kind = 'distribute' AND state = 'planned'`,
    [community.id],
  );
  expect(problems).toEqual([{ problem: 'over_transaction_limit' }]);
  await world.payOut();
  expect(await world.paidState(community)).toEqual(PAID);
});
