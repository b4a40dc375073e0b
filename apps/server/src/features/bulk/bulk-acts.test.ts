import { randomUUID } from 'node:crypto';
import type { BulkActRow } from '@copydesk/contract/bulk';
import type { Persona } from '@copydesk/contract/people';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { send } from '../../../../../tests/support/send.ts';
import { createTestApp, type TestApp } from '../../../../../tests/support/test-app.ts';
import { addInvoices } from '../../../../../tests/support/world/invoices.ts';
import { type Owner, ownerOf } from '../../../../../tests/support/world/rows.ts';
import { addBareTrader, addTrader } from '../../../../../tests/support/world/traders.ts';
import { usdt } from '../../../../../tests/support/world/usdt.ts';
import { WHOLE_SCOPE } from '../../platform/db/database.ts';
import { WORKER_ACTOR } from '../../platform/work/worker-actor.ts';
import { BULK_PARTS } from '../../wiring/lists/bulk-parts.ts';
import { type BulkWorkerDeps, startBulkWorker } from './bulk-worker.ts';

let product: TestApp;
let owner: Owner;
const tokens = {} as Record<Persona, string>;
beforeAll(async () => {
  product = await createTestApp({ scale: 0.02 });
  owner = ownerOf(product.ownerUrl);
  for (const persona of ['super', 'staff', 'staff-multi'] as const)
    tokens[persona] = await product.signIn(persona);
});
afterAll(() => product.close());
beforeEach(() => stored('DELETE FROM bulk_act'));

/** Not even the owner of the tables sees acts: only their persons and workers do. */
const stored = async <Row>(text: string): Promise<Row[]> =>
  product.db.write(WHOLE_SCOPE, WORKER_ACTOR, async (tx) => (await sql.raw<Row>(text).execute(tx.sql)).rows);

type Parts = Parameters<typeof send>[2];
const as =
  (who: Persona, headers: Record<string, string> = {}) =>
  async (call: string, parts: Parts = {}) => {
    const answer = await send(product.app, call, parts, tokens[who], headers);
    return { status: answer.statusCode, body: answer.json() };
  };
const preview = async (who: Persona, body: object) => {
  const answer = await as(who)('POST /api/bulk-acts/preview', { body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.data;
};
async function order(who: Persona, body: object, expected: number): Promise<BulkActRow> {
  const answer = await as(who)('POST /api/bulk-acts', { body: { ...body, expected_count: expected } });
  expect(answer.status, JSON.stringify(answer.body)).toBe(202);
  return answer.body.data;
}
const listed = async (who: Persona): Promise<BulkActRow[]> => (await as(who)('GET /api/bulk-acts')).body.data;
const rowsOf = async (who: Persona, id: string, query = {}) =>
  (await as(who)('GET /api/bulk-acts/{id}/rows', { params: { id }, query })).body;
const statusesOf = async (ids: readonly string[]) =>
  (
    await owner<{ status: string }>(
      'SELECT status FROM unnest($1::uuid[]) WITH ORDINALITY AS w (id, place) JOIN trader t USING (id) ORDER BY place',
      [ids],
    )
  ).map(({ status }) => status);
const begin = () => stored("UPDATE bulk_act SET due_at = now() WHERE state = 'waiting'");

/** Runs until the test ends. */
function startWorker(changes: Partial<BulkWorkerDeps> = {}) {
  const { db, log } = product;
  const worker = startBulkWorker({
    db,
    parts: BULK_PARTS,
    log,
    everyMs: 20,
    leaseMs: 20_000,
    keepMs: 20,
    ...changes,
  });
  onTestFinished(() => worker.stop());
  return worker;
}
async function ended(who: Persona, id: string): Promise<BulkActRow> {
  await begin();
  await expect.poll(async () => (await listed(who)).find((act) => act.id === id)?.state).toBe('done');
  return (await listed(who)).find((act) => act.id === id) as BulkActRow;
}

const connected = (count: number) => Promise.all(Array.from({ length: count }, () => addBareTrader(owner)));
const delinquent = (ids: readonly string[]) => ({ act: 'status', status: 'delinquent', trader_ids: ids });

describe('a preview', () => {
  test('says of each trader what would be done, and why not', async () => {
    const [one = '', two = ''] = await connected(2);
    await owner("UPDATE trader SET status = 'delinquent' WHERE id = $1", [two]);
    expect(await preview('super', delinquent([one, two, one]))).toMatchObject({
      total: 2,
      will: 1,
      left_out: [{ reason: 'has_status', count: 1 }],
      amount: null,
      rows: [
        { trader_id: one, reason: null, before: 'connected', amount: null },
        { trader_id: two, reason: 'has_status', before: 'delinquent' },
      ],
    });
    expect(await statusesOf([one, two])).toEqual(['connected', 'delinquent']);
  });

  test('is of all matches of a list, less those that are left out', async () => {
    const { body } = await as('super')('GET /api/traders', { query: { tab: 'connected', limit: '3' } });
    const ids = body.data.map(({ id }: { id: string }) => id);
    const matching = { list: 'traders', query: { tab: 'connected' } };
    const whole = await preview('super', { act: 'read', matching });
    expect(whole.total).toBe(body.meta.total);
    // In the order of the list, those to whom it would be done first.
    const of = whole.rows.filter((row: { reason: unknown }) => row.reason === null);
    expect(ids).toContain(of[0].trader_id);
    const less = await preview('super', { act: 'read', matching: { ...matching, except: ids } });
    expect(less.total).toBe(whole.total - 3);
  });

  test('of debts has their sum, as one message would say it', async () => {
    const [owing = '', none = ''] = await connected(2);
    const mute = await addBareTrader(owner, { telegram_user_id: null });
    await owner('UPDATE trader SET telegram_user_id = $2 WHERE id = $1', [owing, '77001']);
    await owner('UPDATE trader SET telegram_user_id = $2 WHERE id = $1', [none, '77002']);
    await addInvoices(owner, owing, { amount_units: String(usdt(12)) });
    await addInvoices(owner, owing, { amount_units: String(usdt(7)) });
    await addInvoices(owner, mute, { amount_units: String(usdt(100)) });
    const data = await preview('super', { act: 'notify', trader_ids: [mute, none, owing] });
    expect(data).toMatchObject({ will: 1, amount: '19' });
    expect(data.rows.map(({ reason, amount }: Record<string, unknown>) => [reason, amount])).toEqual([
      [null, '19'],
      ['not_reachable', '100'],
      ['nothing_unpaid', '0'],
    ]);
  });

  test('refuses traders that the person does not see, filters that the list does not know, and acts that it may not do', async () => {
    const { body } = await as('super')('GET /api/traders', { query: { limit: '100' } });
    const mine = (await as('staff')('GET /api/traders', { query: { limit: '100' } })).body;
    const seen = new Set(mine.data.map(({ id }: { id: string }) => id));
    const foreign = body.data.find(({ id }: { id: string }) => !seen.has(id)).id;
    const [own = ''] = seen as Set<string>;
    const refused = async (who: Persona, asked: object) => {
      const { status, body: answer } = await as(who)('POST /api/bulk-acts/preview', { body: asked });
      return [status, answer.error];
    };
    expect(await refused('staff', delinquent([own, foreign]))).toEqual([404, 'not_found']);
    expect(await refused('staff', { act: 'notify', trader_ids: [own] })).toEqual([
      403,
      'super_admin_required',
    ]);
    const matching = { list: 'traders', query: { tab: 'nonsense' } };
    expect(await refused('staff', { act: 'read', matching })).toEqual([400, 'validation_failed']);
    expect(await refused('super', { act: 'read', trader_ids: [own], matching: { list: 'traders' } })).toEqual(
      [400, 'validation_failed'],
    );
    expect(await refused('super', { act: 'status', trader_ids: [own] })).toEqual([400, 'validation_failed']);
  });

  test('of staff is of their own traders', async () => {
    const all = await preview('super', { act: 'read', matching: { list: 'traders' } });
    const own = await preview('staff', { act: 'read', matching: { list: 'traders' } });
    const { meta } = (await as('staff')('GET /api/traders', { query: { limit: '1' } })).body;
    expect(own.total).toBe(meta.total);
    expect(own.total).toBeLessThan(all.total);
  });
});

describe('an act', () => {
  test('waits ten seconds, is done by a worker under the name of the person, and is kept row by row', async () => {
    const ids = await connected(3);
    await owner("UPDATE trader SET status = 'delinquent' WHERE id = $1", [ids[2]]);
    const act = await order('super', delinquent(ids), 2);
    expect(act).toMatchObject({ state: 'waiting', total: 3, left_out: 1, done: 0 });
    expect(Date.parse(act.begins_at) - Date.parse(act.created_at)).toBe(10_000);
    startWorker();
    expect(await ended('super', act.id)).toMatchObject({ done: 2, left_out: 1, failed: 0 });
    expect(await statusesOf(ids)).toEqual(['delinquent', 'delinquent', 'delinquent']);
    const { data, meta } = await rowsOf('super', act.id);
    expect(meta.total).toBe(3);
    expect(data.map(({ trader_id, outcome }: Record<string, unknown>) => [trader_id, outcome])).toEqual([
      [ids[0], 'done'],
      [ids[1], 'done'],
      [ids[2], 'left_out'],
    ]);
    expect((await rowsOf('super', act.id, { outcome: 'left_out' })).data).toMatchObject([
      { reason: 'has_status' },
    ]);
    const [person] = await owner<{ id: string }>(
      'SELECT id FROM identity."user" WHERE email LIKE \'super@%\'',
    );
    expect(
      await owner('SELECT action, actor_kind, actor_id FROM audit_entry WHERE target_id = $1', [ids[0]]),
    ).toEqual([{ action: 'trader.status_changed', actor_kind: 'user', actor_id: person?.id }]);
  });

  test('of another number than was said is refused, and nothing is stored', async () => {
    const ids = await connected(2);
    const body = { ...delinquent(ids), expected_count: 1 };
    const { status, body: answer } = await as('super')('POST /api/bulk-acts', { body });
    expect([status, answer.error]).toEqual([409, 'bulk_selection_changed']);
    expect(await listed('super')).toEqual([]);
  });

  test('that is sent twice under one key is ordered once', async () => {
    const ids = await connected(1);
    const key = { 'idempotency-key': randomUUID() };
    const body = { ...delinquent(ids), expected_count: 1 };
    const first = await as('super', key)('POST /api/bulk-acts', { body });
    const second = await as('super', key)('POST /api/bulk-acts', { body });
    expect(second.body.data.id).toBe(first.body.data.id);
    expect(await listed('super')).toHaveLength(1);
  });

  test('is stopped before it begins, and then nothing was done', async () => {
    const ids = await connected(2);
    const { id } = await order('super', delinquent(ids), 2);
    startWorker();
    const stopped = await as('super')('POST /api/bulk-acts/{id}/stop', { params: { id } });
    expect(stopped.body.data).toMatchObject({ state: 'cancelled', done: 0 });
    await stored('UPDATE bulk_act SET due_at = now()');
    const later = await order(
      'super',
      { act: 'read', trader_ids: ids.slice(0, 0).concat((await addTrader(owner)).id) },
      1,
    );
    await ended('super', later.id);
    expect(await statusesOf(ids)).toEqual(['connected', 'connected']);
    const again = await as('super')('POST /api/bulk-acts/{id}/stop', { params: { id } });
    expect([again.status, again.body.error]).toEqual([409, 'bulk_ended']);
  });

  test('leaves a trader as it is whose status is no longer what the person saw, and one that was deleted', async () => {
    const ids = await connected(3);
    const { id } = await order('super', delinquent(ids), 3);
    await owner("UPDATE trader SET status = 'pending' WHERE id = $1", [ids[0]]);
    await owner('DELETE FROM trader WHERE id = $1', [ids[1]]);
    startWorker();
    expect(await ended('super', id)).toMatchObject({ done: 1, left_out: 2 });
    expect(await statusesOf(ids)).toEqual(['pending', 'delinquent']);
    expect((await rowsOf('super', id)).data).toMatchObject([
      { trader_id: ids[0], reason: 'changed_meanwhile' },
      { trader_id: null, name: null, reason: 'gone' },
      { trader_id: ids[2], reason: null },
    ]);
  });

  test('reads accounts, of those that have some', async () => {
    const requested = () =>
      owner<{ id: string; requested_at: Date | null }>(
        `SELECT a.trader_id AS id, r.requested_at FROM account_reading r JOIN exchange_account a ON a.id = r.account_id
         WHERE a.removed_at IS NULL ORDER BY a.id LIMIT 1`,
      );
    const [{ id: withAccount = '' } = {}] = await requested();
    await owner('UPDATE account_reading SET requested_at = NULL');
    const [without = ''] = await connected(1);
    const act = await order('super', { act: 'read', trader_ids: [withAccount, without] }, 1);
    expect(act.begins_at).toBe(act.created_at);
    startWorker();
    expect(await ended('super', act.id)).toMatchObject({ done: 1, left_out: 1 });
    expect((await requested())[0]?.requested_at).not.toBeNull();
  });

  test('of two people who notify the same traders at once writes to each once', async () => {
    const ids = await connected(4);
    for (const [index, id] of ids.entries()) {
      await owner('UPDATE trader SET telegram_user_id = $2 WHERE id = $1', [id, String(78_000 + index)]);
      await addInvoices(owner, id, { amount_units: String(usdt(5)) });
    }
    const body = { act: 'notify', trader_ids: ids };
    const [one, two] = await Promise.all([order('super', body, 4), order('super', body, 4)]);
    await begin();
    startWorker();
    startWorker();
    const both = await Promise.all([ended('super', one.id), ended('super', two.id)]);
    expect(both.map(({ done }) => done).reduce((sum, done) => sum + done, 0)).toBe(4);
    expect(both.map(({ left_out }) => left_out).reduce((sum, count) => sum + count, 0)).toBe(4);
    expect(
      await owner("SELECT trader_id FROM message WHERE trader_id = ANY ($1) AND kind = 'unpaid_invoices'", [
        ids,
      ]),
    ).toHaveLength(4);
  });

  test('is the debtors of a list of invoices', async () => {
    const [id = ''] = await connected(1);
    await owner('UPDATE trader SET telegram_user_id = $2, reference_number = $3 WHERE id = $1', [
      id,
      '79001',
      'BULK-1',
    ]);
    await addInvoices(owner, id, { amount_units: String(usdt(3)) });
    await addInvoices(owner, id, { amount_units: String(usdt(4)) });
    const matching = { list: 'invoices', query: { search: 'BULK-1' } };
    expect(await preview('super', { act: 'notify', matching })).toMatchObject({
      total: 1,
      will: 1,
      amount: '7',
    });
  });

  test('is refused while three of a person are not finished', async () => {
    const ids = await connected(4);
    for (const id of ids.slice(0, 3)) await order('super', delinquent([id]), 1);
    const body = { ...delinquent(ids.slice(3)), expected_count: 1 };
    const { status, body: answer } = await as('super')('POST /api/bulk-acts', { body });
    expect([status, answer.error]).toEqual([409, 'bulk_unfinished']);
    // Of another person they are no matter.
    expect(await listed('staff')).toEqual([]);
  });
});

describe('a worker', () => {
  test('that loses the database within a row leaves it undone, and another one goes on: each row is done once', async () => {
    const ids = await connected(6);
    const { id } = await order('super', delinquent(ids), 6);
    await begin();
    let performed = 0;
    const dying: BulkWorkerDeps['parts'] = {
      ...BULK_PARTS,
      acts: {
        ...BULK_PARTS.acts,
        status: {
          ...BULK_PARTS.acts.status,
          async perform(tx, row, params) {
            const reason = await BULK_PARTS.acts.status.perform(tx, row, params);
            performed += 1;
            // The connection breaks before the end of its transaction.
            if (performed === 3) throw new Error('Connection terminated unexpectedly');
            return reason;
          },
        },
      },
    };
    startWorker({ parts: dying, leaseMs: 300, keepMs: 3_600_000 });
    expect(await ended('super', id)).toMatchObject({ done: 6, failed: 0 });
    expect(await statusesOf(ids)).toEqual(ids.map(() => 'delinquent'));
    const changes = await owner(
      "SELECT FROM audit_entry WHERE target_id = ANY ($1) AND action = 'trader.status_changed'",
      [ids],
    );
    expect(changes).toHaveLength(6);
  });

  test('goes past a row that fails, which can be tried again alone', async () => {
    const ids = await connected(3);
    let isBroken = true;
    const failing: BulkWorkerDeps['parts'] = {
      ...BULK_PARTS,
      acts: {
        ...BULK_PARTS.acts,
        status: {
          ...BULK_PARTS.acts.status,
          async perform(tx, row, params) {
            const reason = await BULK_PARTS.acts.status.perform(tx, row, params);
            if (isBroken && row.traderId === ids[1]) throw new Error('a fault of ours');
            return reason;
          },
        },
      },
    };
    const { id } = await order('super', delinquent(ids), 3);
    startWorker({ parts: failing });
    expect(await ended('super', id)).toMatchObject({ done: 2, failed: 1 });
    // What the failed row did is undone with it.
    expect(await statusesOf(ids)).toEqual(['delinquent', 'connected', 'delinquent']);
    isBroken = false;
    const retried = await as('super')('POST /api/bulk-acts/{id}/retry', { params: { id } });
    expect(retried.body.data).toMatchObject({ state: 'waiting', done: 2, failed: 0 });
    expect(await ended('super', id)).toMatchObject({ done: 3, failed: 0 });
    const again = await as('super')('POST /api/bulk-acts/{id}/retry', { params: { id } });
    expect([again.status, again.body.error]).toEqual([409, 'bulk_nothing_failed']);
  });

  test('does nothing more for a person who lost the right', async () => {
    const mine = (await as('staff')('GET /api/traders', { query: { tab: 'connected', limit: '2' } })).body;
    const ids = mine.data.map(({ id }: { id: string }) => id);
    const { id } = await order('staff', delinquent(ids), 2);
    const [person] = await stored<{ id: string }>('SELECT user_id AS id FROM bulk_act');
    await owner('UPDATE identity.user_access SET disabled_at = now() WHERE user_id = $1', [person?.id]);
    onTestFinished(async () => {
      await owner('UPDATE identity.user_access SET disabled_at = NULL WHERE user_id = $1', [person?.id]);
    });
    startWorker();
    await begin();
    await expect
      .poll(async () => (await stored<{ state: string }>('SELECT state FROM bulk_act'))[0]?.state)
      .toBe('done');
    expect(await stored(`SELECT outcome, reason FROM bulk_act_row WHERE bulk_act_id = '${id}'`)).toEqual([
      { outcome: 'left_out', reason: 'access_changed' },
      { outcome: 'left_out', reason: 'access_changed' },
    ]);
    expect(await statusesOf(ids)).toEqual(['connected', 'connected']);
  });
});

test('an act is another person’s: not even a super admin finds it', async () => {
  const mine = (await as('staff')('GET /api/traders', { query: { tab: 'connected', limit: '1' } })).body;
  const { id } = await order('staff', delinquent([mine.data[0].id]), 1);
  for (const call of [
    'GET /api/bulk-acts/{id}/rows',
    'POST /api/bulk-acts/{id}/stop',
    'POST /api/bulk-acts/{id}/retry',
  ])
    expect((await as('super')(call, { params: { id } })).status).toBe(404);
});
