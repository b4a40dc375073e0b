import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import {
  createEngineWorld,
  type EngineWorld,
  PAID,
} from '../../../../../../tests/support/world/engine-world.ts';
import type { OwingCommunity } from '../../../../../../tests/support/world/owing-world.ts';
import { findUnpaid } from '../../../../../../tests/support/world/sound-payouts.ts';
import { ENGINE_STEPS } from './engine.ts';
import { takeTransferTurn } from './transfer-turn.ts';

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

test('five workers at once pay every recipient once', async () => {
  for (let n = 0; n < 4; n++) await world.addPaid(community, 5 + n);
  await world.distribute(community.id);
  for (let round = 0; round < 20 && !(await world.isPaid(community)); round++) {
    await world.owner('UPDATE transfer SET retry_at = NULL');
    await Promise.all(
      Array.from({ length: 5 }, () =>
        world.withDatabase((db) => world.turn({ db, resendMs: 0 })).catch(() => false),
      ),
    );
    await world.chain.finalize();
  }
  expect(await world.paidState(community)).toEqual(PAID);
});

test('a payout survives the death of its worker at any step', async () => {
  for (const step of ENGINE_STEPS) {
    const place = await world.addCommunity();
    await world.addPaid(place, 20);
    await world.distribute(place.id);
    const dying = world.engineWith({
      resendMs: 0,
      atStep(reached) {
        if (reached === step) throw new Error(`died at ${step}`);
      },
    });
    for (let round = 0; round < 4; round++) {
      await world.owner('UPDATE transfer SET retry_at = NULL');
      await takeTransferTurn(dying).catch(() => false);
      await world.chain.finalize();
    }
    await world.payOut();
    expect(await findUnpaid(world, world.chain.token, place.id), step).toEqual([]);
    expect(new Set((await world.payoutsOf(place.id)).map(({ status }) => status)), step).toEqual(
      new Set(['distributed']),
    );
  }
});
