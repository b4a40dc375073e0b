import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { addSuperAdmin, type Person } from '../../../../../../tests/support/identity/people.ts';
import { newAddress } from '../../../../../../tests/support/world/addresses.ts';
import {
  createOwingWorld,
  type OwingCommunity,
  type OwingWorld,
} from '../../../../../../tests/support/world/owing-world.ts';

// Attempts of one person to pay out more than the limit within a day, or to an address of their own, alone.

let world: OwingWorld;
let communities: [OwingCommunity, OwingCommunity];
let people = 0;
beforeAll(async () => {
  world = await createOwingWorld({ env: { APPROVAL_ABOVE_USDT: '99.99' } });
}, 60_000);
afterAll(() => world.close());
beforeEach(async () => {
  await world.owner(
    `UPDATE payout SET ordered_at = now() - interval '25 hours' WHERE ordered_at IS NOT NULL`,
  );
  communities = [await world.addCommunity(), await world.addCommunity()];
  for (const community of communities) await world.addPaid(community, 60);
});

const addPuppet = (by = world.token): Promise<Person> =>
  addSuperAdmin(world, by, `puppet-${++people}@example.com`);
const confirm = ({ id }: Person, as: string) =>
  world.ask('POST /api/users/{id}/confirm', { params: { id } }, {}, as);
/** Whether the order waits for another super admin. */
const orders = async (community: OwingCommunity, as: string) => {
  const { status, body } = await world.distribute(community.id, {}, {}, as);
  expect([status, body.message]).toEqual([200, expect.any(String)]);
  return body.data.needs_approval;
};

test('with a second account of their own making, in another community', async () => {
  const puppet = await addPuppet();
  expect(await orders(communities[0], world.token)).toBe(false);
  expect(await orders(communities[1], puppet.authorization)).toBe(true);
});

test('the other way round: the puppet orders first', async () => {
  const puppet = await addPuppet();
  expect(await orders(communities[0], puppet.authorization)).toBe(false);
  const dry = await world.distribute(communities[1].id, { dry_run: true });
  expect(dry.body.data).toMatchObject({
    needs_approval: true,
    approval_reasons: { is_above_limit: true, own_address_set_by: null },
    approval_limit: { ordered_for_community: '0', ordered_by_caller: '60' },
  });
  expect(await orders(communities[1], world.token)).toBe(true);
});

test('with two puppets, or a puppet of a puppet', async () => {
  const puppet = await addPuppet();
  const sibling = await addPuppet();
  const child = await addPuppet(puppet.authorization);
  expect(await orders(communities[0], child.authorization)).toBe(false);
  expect(await orders(communities[1], sibling.authorization)).toBe(true);
});

test('with puppets that order at the same time', async () => {
  const puppets = [await addPuppet(), await addPuppet()];
  const further = await world.addCommunity();
  await world.addPaid(further, 60);
  const waits = await Promise.all([
    orders(communities[0], world.token),
    orders(communities[1], puppets[0]?.authorization as string),
    orders(further, puppets[1]?.authorization as string),
  ]);
  expect(waits.filter((waiting) => !waiting)).toHaveLength(1);
});

test('a colleague confirmed by an independent super admin has a limit of their own', async () => {
  const colleague = await addPuppet();
  expect((await confirm(colleague, world.other)).status).toBe(200);
  expect(await orders(communities[0], world.token)).toBe(false);
  expect(await orders(communities[1], colleague.authorization)).toBe(false);
});

test('a puppet cannot release the address that its maker set, nor the maker that of the puppet', async () => {
  const puppet = await addPuppet();
  await world.owner(
    "UPDATE identity.user_access SET super_since = now() - interval '25 hours' WHERE user_id = $1",
    [puppet.id],
  );
  for (const [author, accomplice] of [
    [world.token, puppet.authorization],
    [puppet.authorization, world.token],
  ] as const) {
    const [{ id }] = communities;
    const body = { external_wallet_address: newAddress() };
    expect(
      (await world.ask('PATCH /api/communities/{id}', { params: { id }, body }, {}, author)).status,
    ).toBe(200);
    const [held] = (await world.pending(id)).held;
    const released = await world.ask(
      'POST /api/super-admin/payout-addresses/{id}/release',
      { params: { id: held?.changeId as string } },
      {},
      accomplice,
    );
    expect(released.status).toBe(403);
    expect((await world.pending(id)).held).toHaveLength(1);
  }
});

test('an order to an address that nobody else stands behind says whose it is, and not the limit', async () => {
  const puppet = await addPuppet();
  const [{ id }] = communities;
  await world.owner(
    `INSERT INTO payout_address_change (owner_kind, owner_id, address, changed_at, changed_by_id, released_at,
       released_by_id, released_by)
     SELECT 'community', id::text, external_wallet_address, now() - interval '30 days', $2, now(), 'upgrade', 'Upgrade'
     FROM community WHERE id = $1`,
    [id, puppet.id],
  );
  const dry = async (as: string) => (await world.distribute(id, { dry_run: true }, {}, as)).body.data;
  expect(await dry(world.token)).toMatchObject({
    needs_approval: true,
    approval_reasons: { is_above_limit: false, own_address_set_by: puppet.email },
  });
  expect(await dry(world.other)).toMatchObject({ needs_approval: false });
});

test('staff and programs can neither order, approve, release nor retry, whatever they claim', async () => {
  const [{ id: communityId, providerId }] = communities;
  const staff = await world.signIn('staff');
  const { body: created } = await world.ask('POST /api/service-tokens', {
    body: { name: 'Bot', scopes: ['traders:write', 'traders:read'], provider_ids: [providerId] },
  });
  const { body } = await world.distribute(communityId);
  const payout = body.data.payouts[0]?.id as string;
  const before = await world.counted();
  for (const as of [staff, created.data.token as string])
    for (const [call, id] of [
      ['POST /api/super-admin/communities/{id}/distribute', communityId],
      ['POST /api/communities/{id}/withdraw', communityId],
      ['POST /api/super-admin/distributions/{id}/approve', body.data.distribution?.id],
      ['POST /api/super-admin/distributions/{id}/decline', body.data.distribution?.id],
      ['POST /api/super-admin/payout-addresses/{id}/release', payout],
      ['POST /api/sweep-operations/{id}/retry', payout],
      ['POST /api/sweep-operations/{id}/cancel', payout],
    ] as const) {
      const answer = await world.askAnything(call, { params: { id: id as string } }, {}, as);
      expect([call, answer.status]).toEqual([call, 403]);
    }
  expect(await world.counted()).toEqual(before);
});
