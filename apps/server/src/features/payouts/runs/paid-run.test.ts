import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createPayingWorld } from '../../../../../../tests/support/world/paying-world.ts';
import { expectSoundDistributions } from '../../../../../../tests/support/world/sound-distributions.ts';

// Patience, not a measure: blocks become final.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let world: Awaited<ReturnType<typeof createPayingWorld>>;
beforeAll(async () => {
  world = await createPayingWorld({ env: { APPROVAL_ABOVE_USDT: '99.99' } });
});
afterAll(() => world?.close());

test('an approved run is paid on chain, and each community goes on alone when another cannot', async () => {
  const communities = await Promise.all([world.addCommunity(), world.addCommunity()]);
  const [first, second] = communities;
  for (const community of communities) await world.chain.giveCoin(community.wallet, 10n ** 18n);
  await world.addPaid(communities[0], 60);
  await world.addPaid(communities[1], 50);
  const body = { community_ids: communities.map(({ id }) => id) };
  const { body: plan } = await world.ask('POST /api/super-admin/payout-runs/plan', { body });
  const { seen } = plan.data;
  const { body: made } = await world.ask('POST /api/super-admin/payout-runs', { body: { ...body, seen } });
  expect(made.data.state).toBe('awaiting_approval');
  await world.payOut();
  expect(await world.transfersOf(communities[0].id)).toEqual([]);
  const decided = await world.ask(
    'POST /api/super-admin/payout-runs/{id}/approve',
    { params: { id: made.data.id }, body: { seen } },
    {},
    world.other,
  );
  expect(decided.body.data.state).toBe('approved');
  // One wallet sends nothing; the other does not wait for it.
  await world.owner(
    `UPDATE chain_wallet SET frozen_because = 'nonce_gap', frozen_at = now()
     WHERE role = 'community' AND owner_id = $1`,
    [second?.id],
  );
  await world.payOut();
  const statuses = async (id?: string) => new Set((await world.payoutsOf(id as string)).map((o) => o.status));
  expect(await statuses(first?.id)).toEqual(new Set(['distributed']));
  expect([...(await statuses(second?.id))]).not.toContain('distributed');
  await world.owner(
    `UPDATE chain_wallet SET frozen_because = NULL, frozen_at = NULL WHERE role = 'community' AND owner_id = $1`,
    [second?.id],
  );
  await world.payOut();
  expect(await statuses(second?.id)).toEqual(new Set(['distributed']));
  const { body: run } = await world.ask('GET /api/super-admin/payout-runs/{id}', {
    params: { id: made.data.id },
  });
  expect(run.data.run.payouts).toEqual({ distributed: 8, failed: 0, under_way: 0 });
  await expectSoundDistributions(world);
});
