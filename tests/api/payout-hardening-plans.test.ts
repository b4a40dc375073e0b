import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createOwingWorld, type OwingCommunity, type OwingWorld } from '../support/world/owing-world.ts';
import { expectSoundDistributions } from '../support/world/sound-distributions.ts';

let world: OwingWorld;
let community: OwingCommunity;
beforeAll(async () => {
  world = await createOwingWorld();
}, 60_000);
afterAll(() => world.close());
beforeEach(async () => {
  community = await world.addCommunity();
});

test('shares whose tokens failed to come along are fetched when their own recipient is paid', async () => {
  await world.addPaid(community, 100);
  await world.distribute(community.id, { selectedRecipients: [community.external] });
  const [first] = (await world.transfersOf(community.id)).filter(({ kind }) => kind === 'consolidate');
  await world.endTransfer(first?.id as string, 'reverted');
  const dry = await world.distribute(community.id, { dry_run: true });
  expect(dry.body.data.consolidations).toMatchObject({ count: 1 });
  const { status, body } = await world.distribute(community.id);
  expect(status).toBe(200);
  expect(body.data.consolidations).toEqual(dry.body.data.consolidations);
  const consolidations = (await world.transfersOf(community.id)).filter(({ kind }) => kind === 'consolidate');
  expect(consolidations.map(({ state }) => state).sort()).toEqual(['planned', 'reverted']);
  const [waiting] = await world.owner(
    `SELECT count(*)::int AS for_ever FROM payable y JOIN transfer c ON c.id = y.consolidation_id
     WHERE y.community_id = $1 AND c.state NOT IN ('planned', 'sent', 'final')`,
    [community.id],
  );
  expect(waiting).toEqual({ for_ever: 0 });
  await expectSoundDistributions(world);
});
