import type { CallInput } from '@copydesk/contract';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createOwingWorld, type OwingWorld } from '../../../../../tests/support/world/owing-world.ts';
import { expectSoundDistributions } from '../../../../../tests/support/world/sound-distributions.ts';

let world: OwingWorld;
beforeAll(async () => {
  world = await createOwingWorld({ env: { APPROVAL_ABOVE_USDT: '99.99' } });
}, 60_000);
afterAll(() => world.close());
// Long ago: only what a test pays again counts towards the limit.
const longAgo = () =>
  world.owner("UPDATE payout SET ordered_at = now() - interval '25 hours' WHERE distribution_id IS NOT NULL");
beforeEach(longAgo);

type Asked = CallInput<'POST /api/sweep-operations/retry/preview'>['body'];
const preview = async (body: Asked, as = world.token) =>
  (await world.ask('POST /api/sweep-operations/retry/preview', { body }, {}, as)).body.data;
const retry = (ids: readonly string[], count: number, amount: string, as = world.token) =>
  world.ask(
    'POST /api/sweep-operations/retry',
    { body: { payout_ids: [...ids], expected_count: count, expected_amount: amount } },
    {},
    as,
  );
const cancel = async (ids: readonly string[]) => {
  for (const id of ids)
    expect((await world.ask('POST /api/sweep-operations/{id}/cancel', { params: { id } })).status).toBe(200);
};
const statusesOf = async (ids: readonly string[]) =>
  (
    await world.owner<{ status: string }>('SELECT status FROM payout WHERE id = ANY ($1) ORDER BY id', [ids])
  ).map(({ status }) => status);

/** A community with payouts that were cancelled before anything was signed. */
async function failedPayouts(paid = 20) {
  const community = await world.addCommunity();
  await world.addPaid(community, paid);
  const { body } = await world.distribute(community.id);
  const ids = body.data.payouts.map(({ id }) => id as string);
  await cancel(ids);
  await longAgo();
  return { community, ids };
}

test('payouts of several communities are paid again as one order', async () => {
  const [one, other] = [await failedPayouts(), await failedPayouts()];
  const ids = [...one.ids, ...other.ids];
  const seen = await preview({ payout_ids: ids });
  expect(seen).toMatchObject({ will: ids.length, amount: '40', takes_two: false, refusal: null });
  expect(seen.rows.map(({ id, reason, taken_by: by }) => [id, reason, by]).sort()).toEqual(
    ids.map((id) => [id, null, null]).sort(),
  );
  expect(await retry(ids, ids.length, '40')).toMatchObject({
    status: 200,
    body: { data: { paid: ids.length, amount: '40' } },
  });
  expect(new Set(await statusesOf(ids))).toEqual(new Set(['consolidating']));
  for (const id of ids)
    expect((await world.auditOf(id)).map(({ action }) => action)).toEqual([
      'payout.cancelled',
      'payout.retried',
    ]);
  await expectSoundDistributions(world);
});

test('all of them or none: what changed since it was seen is refused', async () => {
  const { ids } = await failedPayouts();
  const seen = await preview({ payout_ids: ids });
  const before = await world.counted();
  for (const [count, amount] of [
    [seen.will + 1, seen.amount],
    [seen.will, '20.000000000000000001'],
  ] as const)
    expect(await retry(ids, count, amount)).toMatchObject({
      status: 409,
      body: { error: 'payouts_changed' },
    });
  const [first] = ids as [string];
  expect((await retry([first], 1, seen.rows.find(({ id }) => id === first)?.amount as string)).status).toBe(
    200,
  );
  expect(await retry(ids, seen.will, seen.amount)).toMatchObject({
    status: 409,
    body: { error: 'payouts_changed' },
  });
  expect((await statusesOf(ids)).filter((status) => status === 'failed')).toHaveLength(ids.length - 1);
  expect(await world.counted()).not.toEqual(before);
  expect(await preview({ payout_ids: ids })).toMatchObject({ will: ids.length - 1 });
  await expectSoundDistributions(world);
});

test('a selection says of each payout why it stays as it is', async () => {
  const community = await world.addCommunity();
  await world.addPaid(community, 20);
  const { body } = await world.distribute(community.id);
  const ids = body.data.payouts.map(({ id }) => id as string);
  const [unsafe, moved, paid, ...safe] = ids as [string, string, string, ...string[]];
  for (const { id, kind } of await world.transfersOf(community.id))
    if (kind === 'consolidate') await world.endTransfer(id, 'final');
  const [transfer] = await world.owner<{ id: string }>('SELECT id FROM transfer WHERE payout_id = $1', [
    unsafe,
  ]);
  await world.endTransfer(transfer?.id as string, 'sent');
  await cancel([moved, ...safe]);
  await world.owner("UPDATE payout SET status = 'failed', problem = 'reverted' WHERE id = $1", [unsafe]);
  await world.owner('UPDATE payout SET recipient_address = $2 WHERE id = $1', [
    moved,
    `0x${'ab'.repeat(20)}`,
  ]);
  const { rows, will } = await preview({ payout_ids: ids });
  const reasonOf = (wanted: string) => rows.find(({ id }) => id === wanted)?.reason;
  expect([unsafe, moved, paid].map(reasonOf)).toEqual(['outcome_unknown', 'address_changed', 'not_failed']);
  expect(will).toBe(ids.length - 3);
  expect(await retry(ids, ids.length, '20')).toMatchObject({ status: 409 });
  // Only failed ones are among all that match.
  const all = await preview({ matching: { filters: { community_id: community.id } } });
  expect(all.rows.map(({ id }) => id).sort()).toEqual(ids.filter((id) => id !== paid).sort());
  const less = await preview({ matching: { filters: { community_id: community.id }, except: [unsafe] } });
  expect(less.rows).toHaveLength(ids.length - 2);
});

test('those that failed because of the same deposits are shown and taken along', async () => {
  const community = await world.addCommunity();
  await world.addPaid(community, 20);
  const { body } = await world.distribute(community.id);
  const [first, ...others] = body.data.payouts.map(({ id }) => id as string) as [string, ...string[]];
  for (const { id, kind } of await world.transfersOf(community.id))
    if (kind === 'consolidate') await world.endTransfer(id, 'reverted');
  await world.owner(
    "UPDATE payout SET status = 'failed', problem = 'consolidation_reverted' WHERE community_id = $1",
    [community.id],
  );
  const seen = await preview({ payout_ids: [first] });
  expect(seen).toMatchObject({ will: 1 + others.length, amount: '20' });
  expect(
    seen.rows
      .filter(({ taken_by: by }) => by === first)
      .map(({ id }) => id)
      .sort(),
  ).toEqual(others.toSorted());
  expect((await retry([first], 1, seen.rows[0]?.amount as string)).status).toBe(409);
  expect((await retry([first], seen.will, seen.amount)).status).toBe(200);
  expect((await world.auditOf(others[0] as string)).at(-1)).toMatchObject({ after: { with: first } });
  await expectSoundDistributions(world);
});

test('what is above the limit together takes another person, who thereby approves it', async () => {
  const parts = [await failedPayouts(60), await failedPayouts(60)];
  const ids = parts.flatMap((part) => part.ids);
  const mine = await preview({ payout_ids: ids });
  expect(mine).toMatchObject({
    takes_two: true,
    refusal: expect.stringContaining('above the approval limit'),
  });
  // Each half would be allowed alone.
  expect(await preview({ payout_ids: parts[0]?.ids as string[] })).toMatchObject({
    takes_two: false,
    refusal: null,
  });
  expect(await retry(ids, mine.will, mine.amount)).toMatchObject({
    status: 403,
    body: { error: 'approval_required' },
  });
  expect(new Set(await statusesOf(ids))).toEqual(new Set(['failed']));
  expect(await preview({ payout_ids: ids }, world.other)).toMatchObject({ takes_two: true, refusal: null });
  expect((await retry(ids, mine.will, mine.amount, world.other)).status).toBe(200);
  const rows = await world.owner<{ by: string; approver: string | null }>(
    'SELECT DISTINCT ordered_by_id AS by, approved_by_id AS approver FROM payout WHERE id = ANY ($1)',
    [ids],
  );
  expect(rows).toHaveLength(1);
  expect(rows[0]?.approver).toMatch(/.+/);
  expect(rows[0]?.approver).not.toBe(rows[0]?.by);
  await expectSoundDistributions(world);
});

test('however many order the same ones at once, they are paid again once', async () => {
  const [one, other] = [await failedPayouts(5), await failedPayouts(5)];
  const ids = [...one.ids, ...other.ids];
  const seen = await preview({ payout_ids: ids });
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      retry(index % 2 ? ids : ids.toReversed(), seen.will, seen.amount),
    ),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(7);
  await expectSoundDistributions(world);
});
