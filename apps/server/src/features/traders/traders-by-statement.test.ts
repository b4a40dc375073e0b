import { afterAll, beforeAll, expect, test } from 'vitest';
import { asOwner } from '../../../../../tests/support/owner.ts';
import { createTestApp, type TestApp } from '../../../../../tests/support/test-app.ts';

let product: TestApp;
let traders: string[];
beforeAll(async () => {
  product = await createTestApp({ scale: 0.05 });
  const rows = await asOwner<{ id: string }>(
    product.ownerUrl,
    'SELECT trader_id AS id FROM exchange_account WHERE removed_at IS NULL GROUP BY 1 ORDER BY 1 LIMIT 3',
  );
  traders = rows.map(({ id }) => id);
});
afterAll(() => product.close());

const owner = <R extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
  asOwner<R>(product.ownerUrl, text, values);
const textsOf = async (kind: string, id: string) =>
  (
    await owner<{ value: string }>('SELECT value FROM trader_text WHERE kind = $1 AND trader_id = $2', [
      kind,
      id,
    ])
  ).map(({ value }) => value);
const eventsAfter = async (seq: string) =>
  (
    await owner<{ id: string }>(
      "SELECT entity_id::text AS id FROM change_event WHERE topic = 'trader' AND id > $1 ORDER BY 1",
      [seq],
    )
  ).map(({ id }) => id);
const lastEvent = async () =>
  (await owner<{ seq: string }>('SELECT coalesce(max(id), 0)::text AS seq FROM change_event'))[0]?.seq ?? '0';

test('one statement over several traders changes the texts and announces each of them once', async () => {
  const before = await lastEvent();
  await owner(
    "UPDATE trader SET name = 'Renamed ' || id, reference_number = 'RN-' || id WHERE id = ANY ($1)",
    [traders],
  );
  for (const id of traders) {
    expect((await textsOf('person', id)).join()).toContain(`renamed ${id}`);
    expect((await textsOf('reference', id)).join()).toContain(`rn-${id}`);
  }
  expect(await eventsAfter(before)).toEqual([...traders].sort());
});

test('what is neither searched nor listed announces nothing', async () => {
  const before = await lastEvent();
  await owner('UPDATE trader SET updated_at = now(), name = name WHERE id = ANY ($1)', [traders]);
  expect(await eventsAfter(before)).toEqual([]);
});

test('an account that moves takes its text from one trader to the other', async () => {
  const [from, to] = traders as [string, string];
  const [account] = await owner<{ id: string; uid: string }>(
    'SELECT id, lower(acc_uid) AS uid FROM exchange_account WHERE trader_id = $1 AND removed_at IS NULL LIMIT 1',
    [from],
  );
  const uid = account?.uid as string;
  expect((await textsOf('account', from)).join()).toContain(uid);
  await owner('UPDATE exchange_account SET trader_id = $2 WHERE id = $1', [account?.id, to]);
  expect((await textsOf('account', from)).join()).not.toContain(uid);
  expect((await textsOf('account', to)).join()).toContain(uid);
});
