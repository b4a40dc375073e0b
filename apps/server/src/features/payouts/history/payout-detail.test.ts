import { afterAll, beforeAll, expect, test } from 'vitest';
import { asOwner } from '../../../../../../tests/support/owner.ts';
import {
  createPayoutHistoryWorld,
  type ListedPayout,
  type PayoutHistoryWorld,
} from '../../../../../../tests/support/world/payout-history-world.ts';
import { units } from '../../../../../../tests/support/world/usdt.ts';

let world: PayoutHistoryWorld;
beforeAll(async () => {
  world = await createPayoutHistoryWorld();
}, 60_000);
afterAll(() => world.close());

interface Detail extends ListedPayout {
  payables: { id: string; invoice_id: string; amount: string; recipient_type: string }[];
  payable_count: number;
  steps: { kind: string; state: string; transaction_hash: string | null }[];
}
const detailOf = async (id: string, who: string): Promise<Detail> =>
  (await world.ask('/api/sweep-operations/{id}', {}, who, id)).json().data;

const payablesOf = (id: string, providers: string[] | null) =>
  asOwner<{ id: string; units: string }>(
    world.ownerUrl,
    `SELECT id, amount_units::text AS units FROM payable
     WHERE payout_id = $1 AND ($2::uuid[] IS NULL OR provider_id = ANY ($2)) ORDER BY amount_units DESC, id`,
    [id, providers],
  );

test.each(['super', 'staff', 'staff-multi'])(
  '%s: a payout with its payables, within the scope',
  async (who) => {
    const providers = who === 'super' ? null : await world.providersOf(who);
    for (const row of (await world.listAll({}, who)).slice(0, 30)) {
      const detail = await detailOf(row.id, who);
      expect(detail).toMatchObject(row);
      const wanted = await payablesOf(row.id, providers);
      expect(detail.payable_count).toBe(wanted.length);
      expect(detail.payables.map(({ id, amount }) => [id, units(amount)])).toEqual(
        wanted.map((payable) => [payable.id, BigInt(payable.units)]),
      );
      expect(detail.payables.reduce((sum, { amount }) => sum + units(amount), 0n)).toBe(
        units(row.total_amount),
      );
      expect(detail.steps.map(({ kind }) => kind)).toEqual(['created', 'consolidated', 'distributed']);
      expect(detail.steps[1]?.transaction_hash).toBe(row.consolidate_transaction_hash);
      expect(detail.steps[2]?.transaction_hash).toBe(row.distribute_transaction_hash);
    }
  },
);

test('objects of others are missing', async () => {
  const mine = new Set((await world.listAll({}, 'staff')).map(({ id }) => id));
  const foreign = (await world.listAll()).find(({ id }) => !mine.has(id)) as ListedPayout;
  expect((await world.ask('/api/sweep-operations/{id}', {}, 'staff', foreign.id)).statusCode).toBe(404);
  expect((await world.ask('/api/sweep-operations/{id}', {}, 'super', foreign.id)).statusCode).toBe(200);
});

test('shares and sums follow every write, as if added up again', async () => {
  const snapshot = () =>
    asOwner(
      world.ownerUrl,
      `SELECT (SELECT json_agg(s ORDER BY s.payout_id, s.provider_id) FROM payout_provider s) AS shares,
         (SELECT json_agg(s ORDER BY s::text) FROM payout_sum s) AS sums`,
    );
  const [row] = await world.listAll({ status: 'distributed' });
  await asOwner(world.ownerUrl, `UPDATE payout SET status = 'failed' WHERE id = '${row?.id}'`);
  await asOwner(
    world.ownerUrl,
    `UPDATE payable SET payout_id = '${row?.id}', recipient_address = '${row?.recipient_address}'
     WHERE id IN (SELECT id FROM payable WHERE payout_id IS NULL LIMIT 3)`,
  );
  await asOwner(
    world.ownerUrl,
    `INSERT INTO payout (community_id, recipient_type, recipient_address, amount_units)
     SELECT community_id, 'tip', recipient_address, 5 FROM payout WHERE id = '${row?.id}'`,
  );
  const kept = await snapshot();
  await asOwner(world.ownerUrl, 'SELECT app.refresh_payouts(ARRAY(SELECT id FROM payout))');
  expect(await snapshot()).toEqual(kept);
  expect((await detailOf(row?.id as string, 'super')).status).toBe('failed');
  expect(
    (await world.listAll({ recipient_type: 'tip' })).some(
      (tip) => tip.total_amount === '0.000000000000000005',
    ),
  ).toBe(true);
});

test('everyone with a part of a payout receives its changes', async () => {
  const [row] = await world.listAll({}, 'staff');
  const [mine] = await world.providersOf('staff');
  await asOwner(world.ownerUrl, `UPDATE payout SET updated_at = now() WHERE id = '${row?.id}'`);
  const [event] = await asOwner<{ topic: string; hears: boolean }>(
    world.ownerUrl,
    `SELECT topic, '${mine}' = ANY (provider_ids) AS hears FROM change_event WHERE entity_id = '${row?.id}'
     ORDER BY id DESC LIMIT 1`,
  );
  expect(event).toEqual({ topic: 'payout', hears: true });
});
