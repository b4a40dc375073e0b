import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  createDistributionWorld,
  type DistributionWorld,
  expectSoundPayouts,
  newAddress,
  type OwingCommunity,
} from '../support/distributions.ts';

let world: DistributionWorld;
let community: OwingCommunity;
beforeAll(async () => {
  world = await createDistributionWorld({ env: { APPROVAL_ABOVE_USDT: '99.99' } });
}, 60_000);
afterAll(() => world.close());
beforeEach(async () => {
  community = await world.addCommunity();
});

const decide = (what: 'approve' | 'decline', id: string, as = world.token) =>
  world.ask(`POST /api/super-admin/distributions/{id}/${what}`, { params: { id } }, {}, as);

/** A distribution of 100 USDT that waits for another super admin. */
async function awaiting() {
  await world.addPaid(community, 100);
  const { body } = await world.distribute(community.id);
  return { id: body.data.distribution?.id as string, body };
}
const statuses = async () =>
  new Set((await world.operationsOf(community.id)).map(({ status, problem }) => `${status} ${problem}`));

test('an amount up to the limit is paid at once', async () => {
  await world.addPaid(community, 99);
  const { body } = await world.distribute(community.id);
  expect(body.data).toMatchObject({ needs_approval: false, distribution: { state: 'approved' } });
});

test('an amount above it waits: its shares are set aside, and nothing is ordered', async () => {
  await world.addPaid(community, 100);
  const dry = await world.distribute(community.id, { dry_run: true });
  expect(dry.body.data).toMatchObject({ needs_approval: true, consolidations: { count: 1, amount: '100' } });
  const { body } = await world.distribute(community.id);
  expect(body).toMatchObject({
    message: '100 USDT in 4 payouts: another super admin has to approve it',
    data: {
      needs_approval: true,
      distribution: { state: 'awaiting_approval', decided_by: null, decided_at: null },
      consolidations: { count: 1, amount: '100' },
    },
  });
  expect(await statuses()).toEqual(new Set(['pending null']));
  expect(await world.transfersOf(community.id)).toEqual([]);
  expect(await world.pending(community.id)).toMatchObject({
    recipients: [],
    totalAmount: '0',
    awaiting: [body.data.distribution],
    approvalAbove: '99.99',
  });
  expect(await world.distribute(community.id)).toMatchObject({ body: { error: 'nothing_pending' } });
  await expectSoundPayouts(world);
});

test('who asked cannot approve it; somebody else can, once', async () => {
  const { id } = await awaiting();
  // Meanwhile another address is set: what was approved is what was asked for.
  await world.owner('UPDATE community SET external_wallet_address = $2 WHERE id = $1', [
    community.id,
    newAddress(),
  ]);
  expect(await decide('approve', id)).toMatchObject({
    status: 403,
    body: { error: 'own_approval', message: 'Another super admin has to approve what you asked for' },
  });
  expect(await world.transfersOf(community.id)).toEqual([]);
  const { status, body } = await decide('approve', id, world.other);
  expect(status).toBe(200);
  expect(body.data).toMatchObject({
    id,
    state: 'approved',
    requested_by: 'super@demo.example',
    decided_by: 'super-2@demo.example',
    operation_count: 4,
  });
  expect(await statuses()).toEqual(new Set(['consolidating null']));
  const transfers = await world.transfersOf(community.id);
  expect(transfers).toHaveLength(5);
  expect(transfers.map(({ to_address }) => to_address)).toContain(community.external);
  for (const what of ['approve', 'decline'] as const)
    expect(await decide(what, id, world.other)).toMatchObject({
      status: 409,
      body: { error: 'distribution_decided' },
    });
  expect((await world.auditOf(community.id)).map(({ action }) => action)).toEqual([
    'distribution.requested',
    'distribution.approved',
  ]);
  await expectSoundPayouts(world);
});

test('twenty who approve and decline at once decide it once', async () => {
  const { id } = await awaiting();
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => decide(n % 2 ? 'approve' : 'decline', id, world.other)),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 19 }, () => 409)]);
  await expectSoundPayouts(world);
});

test('declined, also by who asked, its shares are pending again and can be distributed', async () => {
  const { id } = await awaiting();
  const { body } = await decide('decline', id);
  expect(body.data).toMatchObject({ state: 'declined', decided_by: 'super@demo.example' });
  expect(await statuses()).toEqual(new Set(['failed declined']));
  await expectSoundPayouts(world);
  const pending = await world.pending(community.id);
  expect(pending).toMatchObject({ totalAmount: '100', awaiting: [] });
  const again = await world.distribute(community.id, {
    selectedRecipients: [community.external],
    expected_amount: '5',
  });
  expect(again.body.data).toMatchObject({ needs_approval: false, total_amount: '5' });
  expect((await world.auditOf(community.id)).map(({ action }) => action)).toEqual([
    'distribution.requested',
    'distribution.declined',
    'distribution.requested',
  ]);
  for (const { id: operation, problem } of await world.operationsOf(community.id)) {
    if (problem !== 'declined') continue;
    const detail = await world.ask('GET /api/sweep-operations/{id}', { params: { id: operation } });
    expect(detail.body.data).toMatchObject({ problem, can_retry: false, can_cancel: false, transfers: [] });
    expect(
      await world.ask('POST /api/sweep-operations/{id}/retry', { params: { id: operation } }),
    ).toMatchObject({ status: 409, body: { error: 'payout_not_safe' } });
  }
  await expectSoundPayouts(world);
});
