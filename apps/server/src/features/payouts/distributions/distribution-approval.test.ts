import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newAddress } from '../../../../../../tests/support/world/addresses.ts';
import {
  createOwingWorld,
  type OwingCommunity,
  type OwingWorld,
} from '../../../../../../tests/support/world/owing-world.ts';
import { expectSoundDistributions } from '../../../../../../tests/support/world/sound-distributions.ts';

let world: OwingWorld;
let community: OwingCommunity;
beforeAll(async () => {
  world = await createOwingWorld({ env: { APPROVAL_ABOVE_USDT: '99.99' } });
}, 60_000);
afterAll(() => world.close());
beforeEach(async () => {
  // Each test begins with nothing ordered in the last 24 hours.
  await world.owner(
    `UPDATE payout SET ordered_at = now() - interval '25 hours' WHERE ordered_at IS NOT NULL`,
  );
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
  new Set((await world.payoutsOf(community.id)).map(({ status, problem }) => `${status} ${problem}`));

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
    message: '100 USDT in 4 payouts: another super admin must approve it',
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
  await expectSoundDistributions(world);
});

test('what a disabled super admin ordered cannot be approved, and can be declined', async () => {
  const { id } = await awaiting();
  const setDisabled = (at: string | null) =>
    world.owner(
      `UPDATE identity.user_access SET disabled_at = $1::timestamptz
       WHERE user_id = (SELECT id FROM identity."user" WHERE email = 'super@demo.example')`,
      [at],
    );
  await setDisabled(new Date().toISOString());
  expect(await decide('approve', id, world.other)).toMatchObject({
    status: 403,
    body: { error: 'requester_inactive' },
  });
  expect((await decide('decline', id, world.other)).status).toBe(200);
  await setDisabled(null);
  expect(await world.transfersOf(community.id)).toEqual([]);
});

test('before approval the history marks its payouts, for everyone who sees one', async () => {
  const staff = await world.signIn('staff');
  await world.owner(
    `UPDATE identity.user_access a SET provider_ids = ARRAY[$1::uuid] FROM identity."user" u
     WHERE u.id = a.user_id AND u.email LIKE 'staff@%'`,
    [community.providerId],
  );
  const { id } = await awaiting();
  const history = async (as: string, query = {}) => {
    const filters = { community_id: community.id, ...query };
    const { body: list } = await world.ask('GET /api/sweep-operations/admin/all', { query: filters }, {}, as);
    const { body } = await world.ask('GET /api/sweep-operations/summary', { query: filters }, {}, as);
    const { body: detail } = await world.ask(
      'GET /api/sweep-operations/{id}',
      { params: { id: list.data[0]?.id as string } },
      {},
      as,
    );
    const partOf = (part: 'awaiting_approval' | 'under_way' | 'failed') =>
      body.data.reduce((all, type) => all + type[part].count, 0);
    return {
      rows: list.data.map(({ awaits_approval }) => awaits_approval),
      detail: detail.data?.awaits_approval,
      parts: [partOf('awaiting_approval'), partOf('under_way'), partOf('failed')],
      units: body.data.every(
        (type) =>
          Number(type.awaiting_approval.amount) + Number(type.under_way.amount) === Number(type.total_amount),
      ),
    };
  };
  for (const as of [world.token, staff]) {
    expect(await history(as)).toMatchObject({
      rows: [true, true, true, true],
      detail: true,
      parts: [4, 0, 0],
      units: true,
    });
    const today = new Date().toISOString();
    expect(await history(as, { created_at_from: '2000-01-01', created_at_to: today })).toMatchObject({
      parts: [4, 0, 0],
    });
  }
  await decide('approve', id, world.other);
  for (const as of [world.token, staff])
    expect(await history(as)).toMatchObject({
      rows: [false, false, false, false],
      detail: false,
      units: true,
    });
});

test('an approver sees waiting distributions of every community, the newest first', async () => {
  const first = await awaiting();
  const before = community;
  community = await world.addCommunity();
  const second = await awaiting();
  const list = async (as = world.other, query = {}) =>
    (await world.ask('GET /api/super-admin/distributions/awaiting', { query }, {}, as)).body;
  const all = await list();
  const ours = all.data.filter(({ id }) => id === first.id || id === second.id);
  expect(ours.map(({ id, community: { id: of }, is_own }) => [id, of, is_own])).toEqual([
    [second.id, community.id, false],
    [first.id, before.id, false],
  ]);
  expect(all.meta.total).toBe(all.data.length);
  expect((await list(world.token)).data[0]).toMatchObject({ is_own: true });
  const paged = await list(world.other, { limit: '1', offset: '1' });
  expect([paged.data.map(({ id }) => id), paged.meta.total]).toEqual([[first.id], all.meta.total]);
  const ofOne = await list(world.other, { community_id: before.id });
  expect([ofOne.data.map(({ id }) => id), ofOne.meta.total]).toEqual([[first.id], 1]);

  await decide('approve', second.id, world.other);
  expect((await list()).data.map(({ id }) => id)).not.toContain(second.id);
});

test('the requester cannot approve; another super admin can, once', async () => {
  const { id } = await awaiting();
  expect(await decide('approve', id)).toMatchObject({
    status: 403,
    body: { error: 'own_approval', message: 'Another super admin must approve your request' },
  });
  expect(await world.transfersOf(community.id)).toEqual([]);
  const { status, body } = await decide('approve', id, world.other);
  expect(status).toBe(200);
  expect(body.data).toMatchObject({
    id,
    state: 'approved',
    requested_by: 'super@demo.example',
    decided_by: 'super-2@demo.example',
    payout_count: 4,
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
  await expectSoundDistributions(world);
});

test('what has changed since the order is not approved: an address that was replaced, or is held', async () => {
  const { id } = await awaiting();
  const setAddress = (address: string) =>
    world.owner('UPDATE community SET external_wallet_address = $2 WHERE id = $1', [community.id, address]);
  await setAddress(newAddress());
  const refused = await decide('approve', id, world.other);
  expect(refused).toMatchObject({
    status: 409,
    body: { error: 'recipients_changed', message: expect.stringContaining(community.external) },
  });
  expect(await world.transfersOf(community.id)).toEqual([]);
  await setAddress(community.external);
  const note = `INSERT INTO payout_address_change (owner_kind, owner_id, address, changed_by_id)
    VALUES ('community', $1, $2, 'somebody')`;
  await world.owner(note, [community.id, community.external]);
  expect((await decide('approve', id, world.other)).body.error).toBe('recipients_changed');
  expect((await decide('decline', id, world.other)).status).toBe(200);
});

test('twenty simultaneous approvals and refusals decide it once', async () => {
  const { id } = await awaiting();
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => decide(n % 2 ? 'approve' : 'decline', id, world.other)),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 19 }, () => 409)]);
  await expectSoundDistributions(world);
});

test('declined, also by the requester, its shares are pending again and can be distributed', async () => {
  const { id } = await awaiting();
  const { body } = await decide('decline', id);
  expect(body.data).toMatchObject({ state: 'declined', decided_by: 'super@demo.example' });
  expect(await statuses()).toEqual(new Set(['failed declined']));
  await expectSoundDistributions(world);
  const pending = await world.pending(community.id);
  expect(pending).toMatchObject({ totalAmount: '100', awaiting: [] });
  // What was declined does not count towards the limit.
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
  for (const { id: payout, problem } of await world.payoutsOf(community.id)) {
    if (problem !== 'declined') continue;
    const detail = await world.ask('GET /api/sweep-operations/{id}', { params: { id: payout } });
    expect(detail.body.data).toMatchObject({ problem, can_retry: false, can_cancel: false, transfers: [] });
    expect(
      await world.ask('POST /api/sweep-operations/{id}/retry', { params: { id: payout } }),
    ).toMatchObject({ status: 409, body: { error: 'payout_not_safe' } });
  }
  await expectSoundDistributions(world);
});

describe('an amount split into several orders', () => {
  const other = (): [Record<string, string>, string] => [{}, world.other];
  const addressesOf = async () =>
    (await world.pending(community.id)).recipients.map(({ recipientAddress }) => recipientAddress);
  const select = (address: string | undefined, ...as: Partial<ReturnType<typeof other>>) =>
    world.distribute(community.id, { selectedRecipients: [address] }, ...as);

  test('waits from the order on that crosses the limit, also when others order, or it is withdrawn', async () => {
    await world.addPaid(community, 190);
    const [first, second, third] = await addressesOf();
    expect((await select(first)).body.data).toMatchObject({ total_amount: '95', needs_approval: false });
    const dry = await world.distribute(community.id, { selectedRecipients: [second], dry_run: true });
    expect(dry.body.data).toMatchObject({
      needs_approval: true,
      approval_limit: { above: '99.99', ordered_for_community: '95', ordered_by_caller: expect.any(String) },
    });
    expect((await select(second, ...other())).body.data.needs_approval).toBe(true);
    expect((await select(third)).body.data.needs_approval).toBe(true);
    const withdrawn = await world.ask('POST /api/communities/{id}/withdraw', {
      params: { id: community.id },
      body: {},
    });
    expect(withdrawn.body.data).toMatchObject({ total_amount: '9.5', needs_approval: true });
    await expectSoundDistributions(world);
  });

  test('waits when one person orders it in several communities', async () => {
    const further = await world.addCommunity();
    await world.addPaid(community, 60);
    await world.addPaid(further, 60);
    expect((await world.distribute(community.id)).body.data.needs_approval).toBe(false);
    const { body } = await world.distribute(further.id);
    expect(body.data).toMatchObject({
      needs_approval: true,
      approval_limit: { ordered_for_community: '0', ordered_by_caller: '60' },
    });
    // Another person orders the same at once.
    const declined = await decide('decline', body.data.distribution?.id as string);
    expect(declined.status).toBe(200);
    expect((await world.distribute(further.id, {}, ...other())).body.data.needs_approval).toBe(false);
  });

  test('waits for all but one of those that come at the same time, in several communities', async () => {
    const communities = await Promise.all(Array.from({ length: 6 }, () => world.addCommunity()));
    for (const each of communities) await world.addPaid(each, 60);
    const answers = await Promise.all(communities.map(({ id }) => world.distribute(id)));
    expect(answers.map(({ status }) => status)).toEqual(communities.map(() => 200));
    expect(answers.filter(({ body }) => !body.data.needs_approval)).toHaveLength(1);
  });

  test('is not paid by way of retries: a cancelled and retried payout counts towards the limit again', async () => {
    await world.addPaid(community, 60);
    const { body } = await world.distribute(community.id);
    const ids = body.data.payouts.map(({ id }) => id as string);
    const act = (what: 'cancel' | 'retry', id: string, as = world.token) =>
      world.ask(`POST /api/sweep-operations/{id}/${what}`, { params: { id } }, {}, as);
    for (const id of ids) expect((await act('cancel', id)).status).toBe(200);
    // A day later as much is ordered again, and the first would come on top of it.
    await world.owner("UPDATE payout SET ordered_at = now() - interval '25 hours' WHERE id = ANY ($1)", [
      ids,
    ]);
    await world.addPaid(community, 90);
    expect((await world.distribute(community.id)).body.data.needs_approval).toBe(false);
    const [largest] = ids;
    expect(await act('retry', largest as string)).toMatchObject({
      status: 403,
      body: { error: 'approval_required' },
    });
    expect((await act('retry', largest as string, world.other)).status).toBe(200);
    const [paid] = await world.owner<Record<'by' | 'approver', string>>(
      'SELECT ordered_by_id AS by, approved_by_id AS approver FROM payout WHERE id = $1',
      [largest],
    );
    expect(paid?.approver).toMatch(/.+/);
    expect(paid?.approver).not.toBe(paid?.by);
    await expectSoundDistributions(world);
  });
});
