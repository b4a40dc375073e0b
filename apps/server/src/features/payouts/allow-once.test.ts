import { decimalToUnits } from '@copydesk/domain/money';
import { SETTING_DEFAULTS } from '@copydesk/domain/settings';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { addSuperAdmin } from '../../../../../tests/support/identity/people.ts';
import type { OwingCommunity } from '../../../../../tests/support/world/owing-world.ts';
import { createPayingWorld } from '../../../../../tests/support/world/paying-world.ts';
import { usdt } from '../../../../../tests/support/world/usdt.ts';
import type { Config } from '../../config.ts';
import { approveOrderAsOperator, describeWaitingOrders } from '../../wiring/operator-orders.ts';
import type { TransferEngine } from '../transfers/engine/engine.ts';
import { takeTransferTurn } from '../transfers/engine/transfer-turn.ts';

// Patience, not a measure: blocks become final.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let world: Awaited<ReturnType<typeof createPayingWorld>>;
let community: OwingCommunity;
let third: { id: string; authorization: string };
/** A payout of 100 USDT has recipients of up to 50. */
const LIMITS = { perTransaction: usdt(40), perDay: usdt(60) };
beforeAll(async () => {
  world = await createPayingWorld({ env: { PAYOUT_MAX_PER_TRANSACTION: '40', PAYOUT_MAX_PER_DAY: '60' } });
  third = await addSuperAdmin(world, world.token, 'third@example.com');
  await world.ask('POST /api/users/{id}/confirm', { params: { id: third.id } }, {}, world.other);
  await world.owner(
    `UPDATE identity.user_access SET super_since = now() - interval '25 hours' WHERE user_id = $1`,
    [third.id],
  );
});
afterAll(() => world?.close());
beforeEach(async () => {
  // Nothing that an earlier test left takes of the day.
  await world.payOut();
  community = await world.addCommunity();
  await world.addPaid(community, 100);
  await world.chain.giveCoin(community.wallet, 10n ** 18n);
  // Each test begins a day of its own.
  await world.owner(`UPDATE transfer SET sent_at = sent_at - interval '2 days' WHERE sent_at IS NOT NULL`);
});

const approve = (id: string, as = world.other) =>
  world.ask('POST /api/super-admin/distributions/{id}/approve', { params: { id } }, {}, as);
const order = async () => {
  const { body, status } = await world.distribute(community.id, { allow_once: true });
  expect(status).toBe(200);
  return body.data.distribution?.id as string;
};
const turn = (changes: Partial<TransferEngine>) => takeTransferTurn(world.engineWith(changes));
const rounds = async (count: number, limits = LIMITS) => {
  for (let round = 0; round < count; round++) {
    await world.owner('UPDATE transfer SET retry_at = NULL');
    await turn({ limits });
    await world.chain.finalize();
  }
};
const statuses = async () => (await world.payoutsOf(community.id)).map(({ status }) => status);
const chain = () => ({ chainId: 56, tokenAddress: world.chain.token.address }) as Config['chain'];
const asOperator = (id: string) =>
  approveOrderAsOperator(world.operatorDb, { chain: chain() }, SETTING_DEFAULTS, {
    id,
    now: () => new Date(),
  });

test('what is above the largest payout is refused when it is ordered, and the way on is named', async () => {
  const dry = await world.distribute(community.id, { dry_run: true });
  expect(dry.body.data).toMatchObject({
    needs_approval: true,
    above_maximum: { maximum: '40', payout_count: 1 },
  });
  const before = await world.counted();
  const { status, body } = await world.distribute(community.id);
  expect([status, body.error]).toEqual([409, 'above_maximum']);
  expect(body.message).toMatch(/is above the largest payout of 40 USDT\. Allow it once, and two further/);
  expect(await world.counted()).toEqual(before);
});

test('one withdrawal of a pool is the largest payout at most, and everything is taken', async () => {
  const [member] = await world.owner<{ id: string; pool: string }>(
    'SELECT id, pooled_account_id AS pool FROM pool_member LIMIT 1',
  );
  const ask = (amount: string) =>
    world.ask('POST /api/pooled-accounts/{id}/withdrawals', {
      params: { id: member?.pool as string },
      body: { member_id: member?.id as string, amount },
    });
  const { status, body } = await ask('40.000000000000000001');
  expect([status, body.error]).toEqual([409, 'above_maximum']);
  expect(body.message).toMatch(/40 USDT at most\. Ask for several, or for everything/);
  expect((await ask('40')).status).toBeLessThan(300);
  expect((await ask('all')).status).toBeLessThan(300);
});

test('allowed once by two further people it is paid, beyond both limits, and nothing else is', async () => {
  const id = await order();
  expect((await approve(id, world.token)).body.error).toBe('own_approval');
  const first = await approve(id);
  expect(first.body.data).toMatchObject({
    state: 'awaiting_approval',
    approvals: { needed: 2, given_by: [expect.any(String)] },
    approval_refusal: { code: 'approved_already' },
  });
  expect((await approve(id)).body.error).toBe('approved_already');
  await rounds(3);
  expect(new Set(await statuses())).toEqual(new Set(['pending']));
  expect((await approve(id, third.authorization)).body.data).toMatchObject({ state: 'approved' });
  await world.payOut(world.engineWith({ limits: LIMITS }));
  // The others are small; the large one counts as well, and they wait for the next day.
  const paid = await world.payoutsOf(community.id);
  const large = paid.find(({ units }) => BigInt(units) > LIMITS.perTransaction);
  expect(large?.status).toBe('distributed');
});

test('that two approve at the same moment is one approval each', async () => {
  const id = await order();
  const answers = await Promise.all([approve(id), approve(id, third.authorization), approve(id)]);
  const states = answers.flatMap(({ body }) => (body.data ? [body.data.state] : []));
  expect(states.toSorted()).toEqual(['approved', 'awaiting_approval']);
});

test("the API's role cannot say that it was allowed", async () => {
  const id = await order();
  const write = (set: string) =>
    world.apiDb.write({ kind: 'all' }, { kind: 'system', id: 'x', name: 'x' }, (tx) =>
      tx.sql.executeQuery({ sql: `UPDATE distribution SET ${set} WHERE id = '${id}'` } as never),
    );
  const decided = (by: string) =>
    `state = 'approved', decided_by_id = '${by}', decided_by = 'x', decided_at = now()`;
  const first = (by: string) =>
    `first_approved_by_id = '${by}', first_approved_by = 'x', first_approved_at = now()`;
  const [two, me] = await world.owner<{ id: string }>(
    `SELECT id::text FROM identity."user" WHERE email LIKE 'super%@demo.example' ORDER BY email`,
  );
  for (const set of [
    decided('operator'),
    decided(two?.id as string),
    `${first(two?.id as string)}, ${decided(two?.id as string)}`,
    first(me?.id as string),
    'is_above_maximum = false',
  ])
    await expect(write(set), set).rejects.toThrow(/independent|does not change|permission denied/);
});

test('with one further super admin, the command takes the place that is missing, and not before', async () => {
  const setThird = (at: string) =>
    world.owner(`UPDATE identity.user_access SET disabled_at = ${at} WHERE user_id = $1`, [third.id]);
  const id = await order();
  await expect(asOperator(id)).rejects.toThrow(/can approve it, and do that first/);
  await setThird('now()');
  try {
    await expect(asOperator(id)).rejects.toThrow(/can approve it, and do that first/);
    expect((await approve(id)).body.data.state).toBe('awaiting_approval');
    expect((await describeWaitingOrders(world.db, () => new Date())).join('\n')).toMatch(
      new RegExp(`${id}\\tdistribution\\t.*approved by `),
    );
    await asOperator(id);
    await world.payOut(world.engineWith({ limits: LIMITS }));
    expect((await world.payoutsOf(community.id)).map(({ status }) => status)).toContain('distributed');
  } finally {
    await setThird('NULL');
  }
});

test('a payout that the day holds up says when it will be paid, and is paid then', async () => {
  await world.owner(`UPDATE platform_setting SET value = NULL`);
  const limits = { perTransaction: usdt(50), perDay: usdt(60) };
  const id = await order();
  await approve(id);
  await approve(id, third.authorization);
  await rounds(6, limits);
  const held = await world.owner<{ detail: string; units: string }>(
    `SELECT problem_detail AS detail, amount_units::text AS units FROM transfer
     WHERE community_id = $1 AND problem = 'over_day_limit' ORDER BY created_at, id`,
    [community.id],
  );
  expect(held.length).toBeGreaterThan(0);
  const [sent] = await world.owner<{ at: Date }>(
    `SELECT min(sent_at) AS at FROM transfer WHERE community_id = $1 AND kind = 'distribute'`,
    [community.id],
  );
  const day = (sent?.at.getTime() ?? 0) + 86_400_000;
  for (const { detail, units } of held) {
    expect(decimalToUnits('60')).toBeGreaterThan(BigInt(units));
    expect(new Date(detail).getTime()).toBeGreaterThanOrEqual(day);
  }
  const [first] = held;
  await world.owner(`UPDATE transfer SET retry_at = NULL`);
  await turn({ limits, now: () => new Date(first?.detail ?? 0) });
  const [left] = await world.owner<{ count: number }>(
    `SELECT count(*)::int AS count FROM transfer WHERE community_id = $1 AND state = 'planned'`,
    [community.id],
  );
  expect(left?.count).toBeLessThan(held.length);
});
