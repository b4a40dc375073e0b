import type { CallAnswer } from '@copydesk/contract';
import { decimalToUnits, unitsToDecimal } from '@copydesk/domain/money';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asOwner } from '../../../../../../tests/support/owner.ts';
import { send } from '../../../../../../tests/support/send.ts';
import { createTestApp, type TestApp } from '../../../../../../tests/support/test-app.ts';

type Due = CallAnswer<'GET /api/super-admin/pending-distributions'>;
type Pending = CallAnswer<'GET /api/super-admin/communities/{id}/pending-distributions'>;

let product: TestApp;
let superAdmin: string;
beforeAll(async () => {
  product = await createTestApp({ scale: 0.1 });
  superAdmin = await product.signIn('super');
  // Some imports are checked, and a community's own share has no address.
  await owner(
    'UPDATE trader SET books_opened_at = now() WHERE id IN (SELECT id FROM trader ORDER BY id OFFSET 40)',
  );
  const [without] = await owner<{ id: string }>(
    `SELECT community_id AS id FROM payable WHERE payout_id IS NULL AND settled_at IS NULL
       AND recipient_type = 'community' GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1`,
  );
  await owner('UPDATE community SET external_wallet_address = NULL WHERE id = $1', [without?.id]);
  await owner(
    `UPDATE payable SET recipient_address = NULL
     WHERE community_id = $1 AND recipient_type = 'community' AND payout_id IS NULL AND settled_at IS NULL`,
    [without?.id],
  );
});
afterAll(() => product.close());

const owner = <R extends object = Record<string, never>>(text: string, values: unknown[] = []) =>
  asOwner<R & Record<string, unknown>>(product.ownerUrl, text, values);
async function due(): Promise<Due> {
  const answer = await send(product.app, 'GET /api/super-admin/pending-distributions', {}, superAdmin);
  expect(answer.statusCode, product.logged.filter((line) => line.includes('"level":50')).join('')).toBe(200);
  return answer.json<Due>();
}
const sumOf = (lines: readonly { amount: string; payableCount: number }[]) => ({
  amount: unitsToDecimal(lines.reduce((units, { amount }) => units + (decimalToUnits(amount) ?? 0n), 0n)),
  count: lines.reduce((sum, { payableCount }) => sum + payableCount, 0),
});

test('each community has in sums what its own call says line by line, and what has none is not listed', async () => {
  const { data, meta } = await due();
  const communities = await owner<{ id: string }>('SELECT id FROM community');
  const kinds = { payable: 0, held: 0, unaddressed: 0 };
  for (const { id } of communities) {
    const answer = await send(
      product.app,
      'GET /api/super-admin/communities/{id}/pending-distributions',
      { params: { id } },
      superAdmin,
    );
    const { recipients, held, unaddressed } = answer.json<Pending>();
    const row = data.find(({ community }) => community.id === id);
    const all = sumOf([...recipients, ...held, ...unaddressed]);
    if (all.count === 0) {
      expect(row).toBeUndefined();
      continue;
    }
    expect(row).toMatchObject({
      ...all,
      payable: sumOf(recipients),
      held: { ...sumOf(held), reasons: [...new Set(held.map(({ reason }) => reason))].toSorted() },
      unaddressed: sumOf(unaddressed),
    });
    if (recipients.length > 0) kinds.payable++;
    if (held.length > 0) kinds.held++;
    if (unaddressed.length > 0) kinds.unaddressed++;
  }
  for (const [kind, n] of Object.entries(kinds)) expect(n, kind).toBeGreaterThan(0);
  const units = data.map(({ amount }) => decimalToUnits(amount) ?? 0n);
  expect(units).toEqual(units.toSorted((a, b) => (a > b ? -1 : 1)));
  expect(meta).toMatchObject({
    amount: unitsToDecimal(units.reduce((sum, one) => sum + one, 0n)),
    count: data.reduce((sum, { count }) => sum + count, 0),
    communities: data.length,
  });
  const overview = await send(product.app, 'GET /api/overview', {}, superAdmin);
  expect(overview.json().data.find(({ name }: { name: string }) => name === 'to_pay_out')).toMatchObject({
    amount: meta.amount,
    count: meta.count,
    subjects: meta.communities,
  });
});

test('what waits for another super admin is said apart, and a declined distribution is none', async () => {
  const [row] = (await due()).data;
  const id = row?.community.id;
  await owner(
    `INSERT INTO distribution (community_id, state, amount_units, requested_by_id, requested_by, created_at, decided_by_id,
       decided_by, decided_at)
     VALUES ($1, 'awaiting_approval', 5e18, 'a', 'A', '2026-11-02', NULL, NULL, NULL),
       ($1, 'awaiting_approval', 2.5e18, 'a', 'A', '2026-11-01', NULL, NULL, NULL),
       ($1, 'declined', 7e18, 'a', 'A', '2026-11-03', 'b', 'B', now())`,
    [id],
  );
  // The figures are counted once for all who look within seconds, and again after an act of a person here.
  await send(product.app, 'PATCH /api/me/settings', { body: {} }, await product.signIn('super'));
  const after = (await due()).data.find(({ community }) => community.id === id);
  expect(after?.awaiting).toEqual({ amount: '7.5', count: 2 });
  expect(after?.last_distribution).toMatchObject({ amount: '5', created_at: '2026-11-02T00:00:00Z' });
  expect(after?.amount).toBe(row?.amount);
});

test('staff is refused', async () => {
  const staff = await product.signIn('staff');
  const answer = await send(product.app, 'GET /api/super-admin/pending-distributions', {}, staff);
  expect(answer.statusCode).toBe(403);
});
