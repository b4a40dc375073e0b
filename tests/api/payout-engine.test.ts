import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPayingWorld, type PayingWorld } from '../support/world/paying-world.ts';
import { findUnpaid } from '../support/world/sound-payouts.ts';
import { usdt } from '../support/world/usdt.ts';

let world: PayingWorld;
beforeAll(async () => {
  world = await createPayingWorld();
});
afterAll(() => world?.close());

test('what a community owes is collected from deposit addresses and paid to every recipient, to the unit', async () => {
  const community = await world.addCommunity();
  await world.addPaid(community, 100);
  await world.addPaid(community, 33);
  expect((await world.distribute(community.id)).status).toBe(200);
  await world.payOut();
  const payouts = await world.payoutsOf(community.id);
  expect(payouts.map((each) => each.status)).toEqual(payouts.map(() => 'distributed'));
  expect(payouts.reduce((sum, { units }) => sum + BigInt(units), 0n)).toBe(usdt(133));
  for (const payout of payouts) {
    expect(payout.consolidate_transaction_hash).toMatch(/^0x/);
    expect(payout.distribute_transaction_hash).toMatch(/^0x/);
  }
  expect(await findUnpaid(world, world.chain.token, community.id)).toEqual([]);
});
