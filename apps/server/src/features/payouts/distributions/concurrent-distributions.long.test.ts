import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { patiently } from '../../../../../../tests/support/patiently.ts';
import {
  createOwingWorld,
  type OwingCommunity,
  type OwingWorld,
} from '../../../../../../tests/support/world/owing-world.ts';
import { expectSoundDistributions } from '../../../../../../tests/support/world/sound-distributions.ts';
import { usdt } from '../../../../../../tests/support/world/usdt.ts';

let world: OwingWorld;
beforeAll(async () => {
  world = await createOwingWorld();
}, 60_000);
afterAll(() => world.close());

const AT_ONCE = 50;
const distributionsOf = (community: OwingCommunity) =>
  world.owner('SELECT id FROM distribution WHERE community_id = $1', [community.id]);

test.each([
  ['the same key', () => ({ 'idempotency-key': 'one' })],
  ['a key of their own', () => ({ 'idempotency-key': randomUUID() })],
  ['no key', () => ({})],
  [
    'any of these',
    (n: number) => [{ 'idempotency-key': 'two' }, { 'idempotency-key': randomUUID() }, {}][n % 3],
  ],
])('fifty at once with %s make one distribution', async (_name, headers) => {
  const community = await world.addCommunity();
  await world.addPaid(community, 100, 40);
  await world.addPaid(community, 60);
  const answers = await Promise.all(
    Array.from({ length: AT_ONCE }, (_, n) =>
      patiently(() =>
        world.distribute(community.id, { expected_amount: '200' }, headers(n) as Record<string, string>),
      ),
    ),
  );
  const made = answers.filter(({ status }) => status === 200);
  expect(new Set(made.map(({ body }) => body.data.distribution?.id)).size).toBe(1);
  for (const { status, body } of answers.filter((answer) => answer.status !== 200)) {
    expect(status).toBe(409);
    expect(['nothing_pending', 'idempotency_in_flight']).toContain(body.error);
  }
  expect(await distributionsOf(community)).toHaveLength(1);
  expect(await world.payoutsOf(community.id)).toHaveLength(4);
  const transfers = await world.transfersOf(community.id);
  expect(transfers.filter(({ kind }) => kind === 'consolidate')).toHaveLength(2);
  expect(transfers.filter(({ kind }) => kind === 'distribute')).toHaveLength(4);
  expect(await world.auditOf(community.id)).toHaveLength(1);
  await expectSoundDistributions(world);
});

test('the same key gets the same answer again', async () => {
  const community = await world.addCommunity();
  await world.addPaid(community, 100);
  const headers = { 'idempotency-key': randomUUID() };
  const first = await world.distribute(community.id, {}, headers);
  await world.addPaid(community, 50);
  expect(await world.distribute(community.id, {}, headers)).toEqual(first);
  expect(await distributionsOf(community)).toHaveLength(1);
});

test('payments that come in meanwhile are distributed once each, or are still pending', async () => {
  const community = await world.addCommunity();
  const traders = await Promise.all(
    Array.from({ length: 5 }, () =>
      world.addTrader({ community_id: community.id, selected_provider_id: community.providerId }),
    ),
  );
  await Promise.all(traders.map((trader) => world.addPositions(trader, '20', '40', '60')));
  await world.invoice();
  await Promise.all([
    ...traders.flatMap(({ id }) => [10, 20, 30].map((amount) => world.pay(id, usdt(amount)))),
    ...Array.from({ length: 10 }, () => world.distribute(community.id)),
  ]);
  const [sum] = await world.owner<{ units: string }>(
    `SELECT (SELECT coalesce(sum(amount_units), 0) FROM payout WHERE community_id = $1)
       + (SELECT coalesce(sum(amount_units), 0) FROM payable WHERE community_id = $1 AND payout_id IS NULL)
       AS units`,
    [community.id],
  );
  expect(BigInt(sum?.units ?? 0)).toBe(usdt(5 * 60));
  await expectSoundDistributions(world);
});

test('traders that moved are consolidated by both of their communities at once', async () => {
  const [left, right] = [await world.addCommunity(), await world.addCommunity()];
  const traders: { id: string }[] = [];
  for (let n = 0; n < 6; n++) traders.push(await world.addPaid(left, 100));
  await world.owner('UPDATE trader SET community_id = $2 WHERE id = ANY ($1)', [
    traders.map(({ id }) => id),
    right.id,
  ]);
  for (const { id } of traders) {
    const [account] = await world.owner<{ id: string }>(
      'SELECT id FROM exchange_account WHERE trader_id = $1',
      [id],
    );
    await world.addPositions({ id, providerId: right.providerId, accountId: account?.id as string }, '100');
  }
  await world.invoice();
  for (const { id } of traders) await world.pay(id, usdt(50));
  const answers = await Promise.all([left, right].map(({ id }) => world.distribute(id)));
  expect(answers.map(({ body }) => body.data.consolidations)).toEqual([
    { count: 6, amount: '600' },
    { count: 6, amount: '300' },
  ]);
  await expectSoundDistributions(world);
});
