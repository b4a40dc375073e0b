import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  createEngineWorld,
  type EngineWorld,
  PAID,
} from '../../../../../../../tests/support/world/engine-world.ts';

// Patience, not a measure: each test lets many blocks become final.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let world: EngineWorld;
beforeAll(async () => {
  world = await createEngineWorld();
});
afterAll(() => world?.close());

const revertedOf = ({ id }: { id: string }) =>
  world.owner(`SELECT kind FROM transfer WHERE community_id = $1 AND state = 'reverted'`, [id]);

test('a consolidation is mined although payouts emptied the wallet since it was simulated', async () => {
  const community = await world.orderPayout();
  // Coin for the deposit address, so that the consolidation is signed in the next turn.
  for (const { from_address } of await world.transfersOf(community.id))
    await world.chain.giveCoin(from_address, 10n ** 18n);
  await world.chain.setTokens(community.wallet, 1n);
  await world.chain.node.setAutomine(false);
  await world.turn();
  await world.chain.setTokens(community.wallet, 0n);
  await world.heal();
  await world.payOut();
  expect(await revertedOf(community)).toEqual([]);
  expect(await world.paidState(community)).toEqual(PAID);
});

test('a payout is mined although its recipient spent its tokens since it was simulated', async () => {
  const community = await world.orderPayout();
  await world.untilConsolidated(community);
  const recipients = (await world.payoutsOf(community.id)).map((payout) => payout.recipient_address);
  for (const address of recipients) await world.chain.setTokens(address, 1n);
  await world.chain.node.setAutomine(false);
  await world.turn();
  for (const address of recipients) await world.chain.setTokens(address, 0n);
  await world.heal();
  await world.payOut();
  expect(await revertedOf(community)).toEqual([]);
  expect(await world.isPaid(community)).toBe(true);
});
