import type { CallAnswer } from '@copydesk/contract';
import { SETTING_DEFAULTS } from '@copydesk/domain/settings';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { patiently } from '../../../../../../tests/support/patiently.ts';
import { newAddress } from '../../../../../../tests/support/world/addresses.ts';
import {
  createOwingWorld,
  type OwingCommunity,
  type OwingWorld,
} from '../../../../../../tests/support/world/owing-world.ts';
import { expectSoundDistributions } from '../../../../../../tests/support/world/sound-distributions.ts';

import type { Config } from '../../../config.ts';
import { approveOrderAsOperator, describeWaitingOrders } from '../../../wiring/operator-orders.ts';

interface Answered {
  status: number;
  body: { error?: string };
}
type Plan = CallAnswer<'POST /api/super-admin/payout-runs/plan'>['data'];

let world: OwingWorld;
let first: OwingCommunity;
let second: OwingCommunity;
beforeAll(async () => {
  world = await createOwingWorld({
    env: { APPROVAL_ABOVE_USDT: '99.99', PAYOUT_MAX_PER_TRANSACTION: '1000' },
  });
}, 60_000);
afterAll(() => world.close());
beforeEach(async () => {
  // Each test begins with nothing ordered in the last 24 hours.
  await world.owner(
    `UPDATE payout SET ordered_at = now() - interval '25 hours' WHERE ordered_at IS NOT NULL`,
  );
  [first, second] = await Promise.all([world.addCommunity(), world.addCommunity()]);
});

const both = () => [first.id, second.id];
const plan = async (ids = both(), as = world.token): Promise<Plan> =>
  (await world.ask('POST /api/super-admin/payout-runs/plan', { body: { community_ids: ids } }, {}, as)).body
    .data;
const order = (seen: string, ids = both(), as = world.token, headers = {}) =>
  world.ask('POST /api/super-admin/payout-runs', { body: { community_ids: ids, seen } }, headers, as);
const approve = (id: string, seen: string, as = world.other) =>
  world.ask('POST /api/super-admin/payout-runs/{id}/approve', { params: { id }, body: { seen } }, {}, as);
const decline = (id: string, as = world.other) =>
  world.ask('POST /api/super-admin/payout-runs/{id}/decline', { params: { id } }, {}, as);
const transfers = async () => (await Promise.all(both().map((id) => world.transfersOf(id)))).flat();

/** A run of both that waits: together they are above the limit, and neither is alone. */
async function waiting() {
  await world.addPaid(first, 60);
  await world.addPaid(second, 50);
  const { seen } = await plan();
  const { body } = await order(seen);
  return { seen, run: body.data };
}

test('one plan has every recipient of all, and what is ordered is what it said', async () => {
  await world.addPaid(first, 40);
  await world.addPaid(second, 30);
  const planned = await plan();
  expect(planned).toMatchObject({
    total_amount: '70',
    communities: [
      {
        community: { id: first.id },
        amount: '40',
        payout_count: 4,
        consolidations: { amount: '40', count: 1 },
      },
      { community: { id: second.id }, amount: '30', payout_count: 4 },
    ],
    left_out: [],
    transaction_count: 10,
    needs_approval: false,
  });
  expect(planned.lines).toHaveLength(8);
  expect(await transfers()).toEqual([]);
  const { status, body } = await order(planned.seen);
  expect(status).toBe(200);
  expect(body.data).toMatchObject({
    state: 'approved',
    total_amount: '70',
    community_count: 2,
    payout_count: 8,
    decided_by: null,
    payouts: { distributed: 0, failed: 0, under_way: 8 },
  });
  expect(await transfers()).toHaveLength(10);
  const paid = await world.ask('GET /api/super-admin/payout-runs/{id}/lines', {
    params: { id: body.data.id },
  });
  const written = ({ community_id, recipientAddress, recipientType, amount }: Plan['lines'][number]) =>
    [community_id, recipientAddress, recipientType, amount].join(' ');
  expect(paid.body.data.lines.map(written).toSorted()).toEqual(planned.lines.map(written).toSorted());
  expect(paid.body.data.seen).toBe(planned.seen);
  await expectSoundDistributions(world);
});

test('the limit holds for the sum, though each community is below it', async () => {
  const { run } = await waiting();
  expect(run).toMatchObject({ state: 'awaiting_approval', is_own: true });
  expect(await transfers()).toEqual([]);
  await expectSoundDistributions(world);
});

test('the limit holds for each community with what others ordered for it', async () => {
  await world.addPaid(first, 60);
  await world.distribute(first.id, {}, {}, world.other);
  await world.addPaid(first, 50);
  await world.addPaid(second, 10);
  expect(await plan()).toMatchObject({
    needs_approval: true,
    approval_reasons: { is_above_limit: true, communities_above: [expect.any(String)] },
  });
});

test('it is decided as one, by another person, with what that person saw; then each goes on alone', async () => {
  const { seen, run } = await waiting();
  const refusals = [
    [await approve(run.id, seen, world.token), 'own_approval'],
    [await approve(run.id, '0'.repeat(64)), 'recipients_changed'],
  ] as const;
  for (const [{ body }, code] of refusals) expect(body.error).toBe(code);
  const detail = await world.ask('GET /api/super-admin/payout-runs/{id}', { params: { id: run.id } });
  for (const { id } of detail.body.data.distributions)
    for (const what of ['approve', 'decline'] as const)
      expect(
        (
          await world.ask(
            `POST /api/super-admin/distributions/{id}/${what}`,
            { params: { id } },
            {},
            world.other,
          )
        ).body.error,
      ).toBe('ordered_together');
  expect(await transfers()).toEqual([]);
  const { body } = await approve(run.id, seen);
  expect(body.data).toMatchObject({ state: 'approved', decided_by: 'super-2@demo.example' });
  expect(await transfers()).toHaveLength(10);
  expect((await approve(run.id, seen)).body.error).toBe('distribution_decided');
  expect((await decline(run.id)).body.error).toBe('distribution_decided');
  await expectSoundDistributions(world);
});

test('what was paid before is compared with one distribution of the run, not with all of them', async () => {
  await world.addPaid(first, 40);
  await world.addPaid(second, 30);
  // Both pay the same platform recipients, whatever their providers.
  const { lines, recipients } = await plan();
  const platform = recipients.find(({ owners }) => owners.includes('hexmount'));
  const amounts = lines
    .filter(({ recipientAddress }) => recipientAddress === platform?.recipientAddress)
    .map(({ amount }) => Number(amount));
  expect(amounts).toHaveLength(2);
  expect(Number(platform?.most_amount)).toBe(Math.max(...amounts));
});

test('an address of one recipient that changed refuses all of it', async () => {
  const { seen, run } = await waiting();
  await world.owner('UPDATE community SET external_wallet_address = $2 WHERE id = $1', [
    second.id,
    newAddress(),
  ]);
  expect((await approve(run.id, seen)).body).toMatchObject({
    error: 'recipients_changed',
    message: expect.stringContaining(second.external),
  });
  expect(await transfers()).toEqual([]);
  expect((await decline(run.id, world.token)).body.data).toMatchObject({ state: 'declined' });
  expect(await plan()).toMatchObject({ total_amount: '110' });
  await expectSoundDistributions(world);
});

test('what differs from the plan is not ordered: a share more, or a community less', async () => {
  await world.addPaid(first, 40);
  await world.addPaid(second, 30);
  const { seen } = await plan();
  expect((await order(seen, [first.id])).body.error).toBe('recipients_changed');
  await world.addPaid(second, 1);
  expect((await order(seen)).body.error).toBe('recipients_changed');
  expect(await transfers()).toEqual([]);
  const now = await plan();
  expect((await order(now.seen, [...both(), first.id])).status).toBe(200);
  expect((await order(now.seen)).body.error).toBe('nothing_pending');
});

test('what is below the smallest payout is carried, and paid when it has grown', async () => {
  await world.addPaid(first, 10);
  const planned = await plan([first.id]);
  expect(planned).toMatchObject({
    total_amount: '9.5',
    carried: { amount: '0.5', count: 1 },
    minimum_payout: '1',
  });
  const { body } = await order(planned.seen, [first.id]);
  expect(body.data).toMatchObject({ total_amount: '9.5', carried_amount: '0.5', payout_count: 3 });
  expect(await plan([first.id])).toMatchObject({
    communities: [],
    left_out: [{ reason: 'all_below_minimum', amount: '0.5' }],
  });
  await world.addPaid(first, 20);
  expect((await plan([first.id])).lines).toContainEqual(
    expect.objectContaining({ recipientType: 'community', amount: '1.5', payableCount: 2 }),
  );
  await expectSoundDistributions(world);
});

test('a community that cannot be paid with others is left out, and says why', async () => {
  await world.addPaid(first, 2_500);
  await world.addPaid(second, 20);
  const third = await world.addCommunity();
  const planned = await plan([...both(), third.id]);
  expect(planned).toMatchObject({
    total_amount: '20',
    left_out: expect.arrayContaining([
      { community: expect.objectContaining({ id: first.id }), reason: 'above_maximum', amount: '2500' },
      { community: expect.objectContaining({ id: third.id }), reason: 'nothing_payable', amount: '0' },
    ]),
  });
  expect((await order(planned.seen, [...both(), third.id])).body.data).toMatchObject({ community_count: 1 });
});

test('runs and distributions at the same time pay each share once', async () => {
  await world.addPaid(first, 40);
  await world.addPaid(second, 30);
  const { seen } = await plan();
  const one = (n: number): Promise<Answered> => {
    if (n % 2 === 0) return world.distribute(n % 4 === 0 ? first.id : second.id);
    return order(seen, n % 4 === 1 ? both() : both().toReversed());
  };
  const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => patiently(() => one(n))));
  for (const { status, body } of answers)
    if (status !== 200) expect(['nothing_pending', 'recipients_changed']).toContain(body.error);
  const paid = (await Promise.all(both().map((id) => world.payoutsOf(id)))).flat();
  expect(paid).toHaveLength(8);
  await expectSoundDistributions(world);
});

test('twenty decisions at once decide it once', async () => {
  const { seen, run } = await waiting();
  const one = (n: number): Promise<Answered> => (n % 2 ? approve(run.id, seen) : decline(run.id));
  const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => patiently(() => one(n))));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  await expectSoundDistributions(world);
});

test('those that wait are listed as one, and not among the distributions that are decided alone', async () => {
  const { run } = await waiting();
  const runs = await world.ask(
    'GET /api/super-admin/payout-runs',
    { query: { state: 'awaiting' } },
    {},
    world.other,
  );
  expect(runs.body.data.find(({ id }) => id === run.id)).toMatchObject({
    community_count: 2,
    communities: [{ id: first.id }, { id: second.id }],
    is_own: false,
    approval_refusal: null,
  });
  const alone = await world.ask('GET /api/super-admin/distributions/awaiting', { query: {} });
  expect(alone.body.data.filter(({ run_id }) => run_id !== null)).toEqual([]);
  const ofOne = await world.ask('GET /api/super-admin/distributions/awaiting', {
    query: { community_id: first.id },
  });
  expect(ofOne.body.data).toMatchObject([{ run_id: run.id }]);
});

test('where the other super admin is missing, an operator sees it in the list and approves it as a whole', async () => {
  const { run } = await waiting();
  const now = () => new Date();
  expect((await describeWaitingOrders(world.operatorDb, now)).join('\n')).toContain(
    `${run.id}\tpayout run\t2 communities\t110 USDT\t8 payouts\trequested by super@demo.example`,
  );
  const chain = { chainId: 56, tokenAddress: newAddress() } as Config['chain'];
  const asOperator = (id: string) =>
    approveOrderAsOperator(world.operatorDb, { chain }, SETTING_DEFAULTS, { id, now });
  const [part] = await world.owner<{ id: string }>('SELECT id FROM distribution WHERE run_id = $1 LIMIT 1', [
    run.id,
  ]);
  await expect(asOperator(part?.id as string)).rejects.toThrow(/ordered together/);
  await asOperator(run.id);
  expect(await transfers()).toHaveLength(10);
});

test('it is one item of attention for the other super admin', async () => {
  const { run } = await waiting();
  const items = async (as: string, tab: 'you' | 'others') =>
    (
      await world.ask('GET /api/attention', { query: { tab, group: 'approvals', limit: '200' } }, {}, as)
    ).body.data
      .filter(({ kind }) => kind === 'distribution_waiting')
      .filter(({ subject }) => subject === run.id);
  expect(await items(world.other, 'you')).toMatchObject([
    { code: 'run', count: 2, amount: '110', title: null },
  ]);
  expect(await items(world.token, 'you')).toEqual([]);
  await approve(
    run.id,
    (await world.owner<{ seen: string }>('SELECT seen FROM payout_run WHERE id = $1', [run.id]))[0]?.seen ??
      '',
  );
  expect(await items(world.other, 'you')).toEqual([]);
});

test('the database decides a run as a whole, as it was ordered', async () => {
  const { run } = await waiting();
  const [one] = await world.owner<{ id: string }>('SELECT id FROM distribution WHERE run_id = $1 LIMIT 1', [
    run.id,
  ]);
  for (const change of [
    `UPDATE distribution SET state = 'declined', decided_by_id = 'x', decided_by = 'X', decided_at = now() WHERE id = $1`,
    'UPDATE distribution SET amount_units = amount_units + 1 WHERE id = $1',
    'UPDATE distribution SET run_id = NULL WHERE id = $1',
  ])
    await expect(world.owner(change, [one?.id])).rejects.toThrow(/run/);
});
