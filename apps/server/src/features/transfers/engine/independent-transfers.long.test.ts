import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import {
  createEngineWorld,
  type EngineWorld,
  PAID,
} from '../../../../../../tests/support/world/engine-world.ts';
import type { OwingCommunity } from '../../../../../../tests/support/world/owing-world.ts';

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
afterEach(async () => {
  await world.heal();
  await world.payOut();
});

test('a transfer that cannot be booked holds up no other community', async () => {
  const [broken] = await world.payoutsOf(community.id);
  await world.untilConsolidated(community);
  const other = await world.addCommunity();
  await world.addPaid(other, 30);
  await world.distribute(other.id);
  await world.chain.node.setAutomine(false);
  await world.turn();
  await world.chain.node.setAutomine(true);
  // What it paid is more than the books have for it now.
  await world.owner(`UPDATE payable SET amount_units = amount_units * 100 WHERE payout_id = $1`, [
    broken?.id,
  ]);
  await world.payOut().catch(() => undefined);
  expect((await world.payoutsOf(other.id)).map(({ status }) => status)).toEqual(
    (await world.payoutsOf(other.id)).map(() => 'distributed'),
  );
  await world.owner(`UPDATE payable SET amount_units = amount_units / 100 WHERE payout_id = $1`, [
    broken?.id,
  ]);
  expect(await world.walletOf(community)).toMatchObject({ frozen_because: 'cannot_be_booked' });
  await world.turn();
  expect(await world.paidState(community)).toEqual({ ...PAID, frozen: 'cannot_be_booked' });
});

test('signing skips a community that a person is deciding about, and neither is aborted for the other', async () => {
  await world.untilConsolidated(community);
  const deciding = new pg.Client({ connectionString: world.ownerUrl });
  await deciding.connect();
  onTestFinished(() => deciding.end());
  await deciding.query("BEGIN; SELECT set_config('copydesk.scope', 'all', true)");
  await deciding.query('SELECT FROM community WHERE id = $1 FOR NO KEY UPDATE', [community.id]);
  const warn = vi.fn();
  const signing = world.turn({ log: { ...world.log, warn, error: warn, info: () => {} } as never });
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  await deciding.query('SELECT FROM transfer WHERE community_id = $1 ORDER BY id FOR NO KEY UPDATE', [
    community.id,
  ]);
  await deciding.query('COMMIT');
  expect(await signing).toBe(false);
  expect(warn).not.toHaveBeenCalled();
  await world.payOut();
  expect(await world.paidState(community)).toEqual(PAID);
});

test('deposit addresses of one community are emptied at once and do not wait for each other', async () => {
  await world.payOut();
  const place = await world.addCommunity();
  for (let n = 0; n < 12; n++) {
    const { address } = await world.addPaid(place, 5);
    await world.chain.giveCoin(address, 10n ** 18n);
  }
  await world.distribute(place.id);
  await world.turn();
  const [sent] = await world.owner(
    `SELECT count(*)::int AS n FROM transfer WHERE community_id = $1 AND kind = 'consolidate' AND state = 'sent'`,
    [place.id],
  );
  expect(sent).toEqual({ n: 12 });
});
