import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEngineWorld, type EngineWorld } from '../../../../../../tests/support/world/engine-world.ts';
import { expectSoundDistributions } from '../../../../../../tests/support/world/sound-distributions.ts';

const PAIRS = 200;
/** Turns and blocks between the two of a pair: at some of them payouts and a consolidation are signed in one turn. */
const TURNS_BETWEEN = 8;
/** Payouts that are signed beside a consolidation reach the chain before it. */
const CONSOLIDATIONS_LATER_MS = 150;
/** The consolidation and four recipients. */
const TRANSFERS = 5;

let world: EngineWorld;
beforeAll(async () => {
  world = await createEngineWorld();
});
afterAll(() => world?.close());

test(`${PAIRS} times two distributions of a community within seconds: none reverts`, async () => {
  const community = await world.addCommunity();
  await world.chain.giveCoin(community.wallet, 10n ** 21n);
  const toCommunity = community.wallet.slice(2).toLowerCase();
  world.rpc.behave(async ({ method, params }, forward) => {
    if (method === 'eth_sendRawTransaction' && String(params[0]).includes(toCommunity))
      await sleep(CONSOLIDATIONS_LATER_MS);
    return forward();
  });
  const chain = world.throughFaults();
  for (let pair = 0; pair < PAIRS; pair++) {
    // A session outlasts the run, an access token does not.
    const token = await world.signIn('super');
    for (const amount of [50, 30]) {
      const trader = await world.addPaid(community, amount);
      await world.chain.giveCoin(trader.address, 10n ** 18n);
      expect(await world.distribute(community.id, {}, {}, token)).toMatchObject({ status: 200 });
      for (let turn = 0; amount === 50 && turn < pair % TURNS_BETWEEN; turn++) {
        await world.turn({ chain });
        await world.chain.finalize();
      }
    }
    await world.payOut(world.engineWith({ chain }));
  }
  const ends = await world.owner(
    `SELECT state, count(*)::int AS transfers FROM transfer
     WHERE community_id = $1 AND kind IN ('consolidate', 'distribute') GROUP BY 1`,
    [community.id],
  );
  expect(ends).toEqual([{ state: 'final', transfers: PAIRS * 2 * TRANSFERS }]);
  await expectSoundDistributions(world);
});
