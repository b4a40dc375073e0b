import { afterAll, beforeAll, expect, test } from 'vitest';
import { notPassed, passedFiles } from '../../../../../../../tests/support/journey.ts';
import {
  createPayingWorld,
  type PayingWorld,
} from '../../../../../../../tests/support/world/paying-world.ts';
import { findUnpaid } from '../../../../../../../tests/support/world/sound-payouts.ts';
import { usdt } from '../../../../../../../tests/support/world/usdt.ts';

let world: PayingWorld;
beforeAll(async () => {
  world = await createPayingWorld();
});
afterAll(() => world?.close());

test('debts of a community are consolidated from deposit addresses and paid to every recipient, to the unit', async () => {
  const community = await world.addCommunity();
  await world.addPaid(community, 100);
  await world.addPaid(community, 33);
  const passed = await passedFiles(async () => {
    expect((await world.distribute(community.id)).status).toBe(200);
    await world.payOut();
  });
  const journey = { readme: 'payouts', journey: 'The journey from a distribution to its final payouts' };
  // No second person is needed here, and the worker's composition is in another process.
  const elsewhere = [
    'features/payouts/distributions/decide-distribution.service.ts',
    'wiring/worker/transfer-loop.ts',
  ];
  expect(notPassed(journey, passed, elsewhere)).toEqual([]);
  const payouts = await world.payoutsOf(community.id);
  expect(payouts.map((each) => each.status)).toEqual(payouts.map(() => 'distributed'));
  expect(payouts.reduce((sum, { units }) => sum + BigInt(units), 0n)).toBe(usdt(133));
  for (const payout of payouts) {
    expect(payout.consolidate_transaction_hash).toMatch(/^0x/);
    expect(payout.distribute_transaction_hash).toMatch(/^0x/);
  }
  expect(await findUnpaid(world, world.chain.token, community.id)).toEqual([]);
});

test('amounts of 18 decimals arrive to the unit', async () => {
  const odd = await world.addCommunity();
  const { id, address } = await world.addPaid(odd, 7);
  // A tip that splits into nothing round.
  await world.chain.token.mint(address as `0x${string}`, 1_234_567_890_123_456_789n);
  await world.pay(id, 1_234_567_890_123_456_789n);
  await world.distribute(odd.id);
  await world.payOut();
  const payouts = await world.payoutsOf(odd.id);
  expect(payouts.reduce((sum, { units }) => sum + BigInt(units), 0n)).toBe(
    usdt(7) + 1_234_567_890_123_456_789n,
  );
  expect(await findUnpaid(world, world.chain.token, odd.id)).toEqual([]);
});
