import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../../../tests/support/database.ts';
import { runMigration } from '../../../../../../tests/support/run-migration.ts';
import { addCommunity } from '../../../../../../tests/support/world/communities.ts';
import { insertRow, type Owner, ownerOf } from '../../../../../../tests/support/world/rows.ts';
import { addBareTrader } from '../../../../../../tests/support/world/traders.ts';

let database: TestDatabase;
let owner: Owner;
beforeAll(async () => {
  database = await createTestDatabase();
  owner = ownerOf(database.ownerUrl);
});
afterAll(() => database?.drop());

const at = (hour: number) => new Date(Date.UTC(2026, 0, 1, hour));
const addRun = (from: number, to: number | null, of: object = {}) =>
  insertRow(owner, 'invoicing_run', {
    requested_by: 'Test',
    created_at: at(from),
    ...(to !== null && { state: 'done', finished_at: at(to) }),
    ...of,
  });
let count = 0;
const addMessage = (traderId: string, hour: number, fields: object = {}) =>
  insertRow(owner, 'message', {
    trader_id: traderId,
    kind: 'invoice_created',
    language: 'en',
    text: 'Invoice',
    dedupe_key: `earlier ${++count}`,
    state: 'failed',
    requested_by: 'Test',
    created_at: at(hour),
    ...fields,
  });
const runOf = async (messageId: string) =>
  (
    await owner<{ run: string | null }>('SELECT invoicing_run_id AS run FROM message WHERE id = $1', [
      messageId,
    ])
  )[0]?.run;

test('messages of before that did not arrive get the run of their time that covers their trader', async () => {
  const community = await addCommunity(owner, []);
  const [inside, outside] = [
    await addBareTrader(owner, { community_id: community }),
    await addBareTrader(owner, { community_id: await addCommunity(owner, []) }),
  ];
  const ofTrader = await addRun(1, 2, { trader_id: inside });
  const ofCommunity = await addRun(3, 4, { community_id: community });
  const ofAll = await addRun(5, 6);
  const running = await addRun(20, null);
  const known = await addRun(40, 41);

  const cases: [id: string, run: string | null][] = [
    [await addMessage(inside, 1), ofTrader],
    [await addMessage(outside, 1), null],
    [await addMessage(inside, 3, { state: 'queued' }), ofCommunity],
    [await addMessage(outside, 4), null],
    [await addMessage(inside, 5), ofAll],
    [await addMessage(outside, 6), ofAll],
    // Between two runs, and after one that goes on.
    [await addMessage(inside, 12), null],
    [await addMessage(inside, 21), running],
    // What arrived, what is of another kind, and what names its run stays as it is.
    [await addMessage(inside, 5, { state: 'sent', sent_at: at(5) }), null],
    [await addMessage(inside, 5, { kind: 'invoice_overdue' }), null],
    [await addMessage(inside, 5, { invoicing_run_id: known }), known],
  ];
  await runMigration(database.ownerUrl, '1280_messages_of_earlier_runs.sql');
  const found = await Promise.all(cases.map(([id]) => runOf(id)));
  expect(found).toEqual(cases.map(([, run]) => run));
});
