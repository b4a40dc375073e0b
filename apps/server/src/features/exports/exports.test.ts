import { createHash } from 'node:crypto';
import type { StaffRole } from '@copydesk/domain/access';
import { MAX_KEPT_EXPORTS } from '@copydesk/domain/exports';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { countedRows, linesOfCsv } from '../../../../../tests/support/csv-lines.ts';
import { giveAccess } from '../../../../../tests/support/identity/give-access.ts';
import { asOwner } from '../../../../../tests/support/owner.ts';
import { createTestApp, type TestApp } from '../../../../../tests/support/test-app.ts';
import {
  createExportsWorld,
  type ExportsWorld,
  gatedParts,
  generated,
} from '../../../../../tests/support/world/exports-world.ts';
import { pruneExports } from './export-work.store.ts';

const DAY_MS = 86_400_000;
let product: TestApp;
let world: ExportsWorld;
let superAdmin: string;
let staff: string;
let staffId: string;
let providers: string[];
let aheadMs = 0;
const clock = () => new Date(Date.now() + aheadMs);

beforeAll(async () => {
  product = await createTestApp({ clock });
  world = createExportsWorld(product, clock);
  superAdmin = await product.signIn('super');
  staff = await product.signIn('staff-multi');
  const [person] = await asOwner<{ id: string; provider_ids: string[] }>(
    product.ownerUrl,
    `SELECT id, provider_ids FROM identity.person WHERE email = 'staff-multi@demo.example'`,
  );
  staffId = person?.id ?? '';
  providers = person?.provider_ids ?? [];
});
afterAll(() => product.close());
afterEach(async () => {
  aheadMs = 0;
  await give({ staff_roles: {}, provider_access: providers, disabled: false });
  await world.clear();
});

const give = async (wanted: Parameters<typeof giveAccess>[3]) => {
  const answer = await giveAccess(product, superAdmin, staffId, wanted);
  expect(answer.status, answer.text).toBe(200);
};
const roles = (...each: StaffRole[]) =>
  Object.fromEntries(each.map((role, index) => [providers[index] ?? '', role]));
const refusal: ExportsWorld['refusal'] = (answer) => world.refusal(answer);

test('a worker writes what the call of the list streams, and the file says that it is whole', async () => {
  const query = { orderBy: 'reference_number', orderDir: 'asc' };
  const id = await world.begin(staff, { list: 'traders', query });
  const { total } = (await world.as(staff)('GET /api/traders', { query: { limit: '1' } })).json().meta;
  expect(await world.find(staff, id)).toMatchObject({
    state: 'waiting',
    rows: 0,
    rows_expected: total,
    query,
    is_covered: true,
    is_selection: false,
  });
  expect(await refusal(world.download(staff, id))).toEqual([409, 'export_not_ready']);
  world.startWorker();
  const row = await world.ended(staff, id);
  const file = (await world.download(staff, id)).rawPayload;
  const streamed = await world.as(staff)('GET /api/traders/export', { query });
  expect(file.equals(streamed.rawPayload)).toBe(true);
  expect(linesOfCsv(file)).toHaveLength(row.rows + 1);
  expect(countedRows(file)).toBe(row.rows);
  expect(row).toMatchObject({
    state: 'ready',
    rows_expected: row.rows,
    bytes: file.length,
    sha256: createHash('sha256').update(file).digest('hex'),
  });
  expect(Date.parse(row.expires_at ?? '') - Date.parse(row.finished_at ?? '')).toBe(7 * DAY_MS);
  expect(row.rows).toBeGreaterThan(10);
  const { headers } = await world.download(staff, id);
  expect(headers['content-length']).toBe(String(file.length));
  expect(headers['content-disposition']).toBe(
    `attachment; filename="traders-${(row.finished_at ?? '').slice(0, 10)}.csv"`,
  );
});

test.each([
  ['closed_positions', 'GET /api/traders/{id}/closed-positions/export'],
  ['invoices', 'GET /api/invoices/export'],
  ['payouts', 'GET /api/sweep-operations/export'],
  ['audit', 'GET /api/audit/export'],
  ['refusals', 'GET /api/audit/refusals/export'],
])('the list of %s as well', async (list, call) => {
  const [trader] = await asOwner<{ id: string }>(
    product.ownerUrl,
    'SELECT trader_id AS id FROM closed_position LIMIT 1',
  );
  const params: Record<string, string> = list === 'closed_positions' ? { id: trader?.id ?? '' } : {};
  const id = await world.begin(superAdmin, { list, params, query: {} });
  world.startWorker();
  const row = await world.ended(superAdmin, id);
  expect(row.rows_expected).toBe(row.rows);
  const streamed = await world.as(superAdmin)(call, { params, query: {} });
  expect((await world.download(superAdmin, id)).body).toBe(streamed.body);
});

/** Of a file's rows, the cells of the column of ids. */
const idsOf = (file: Buffer) =>
  [...file.toString().matchAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g)].map(([id]) => id);

/** The file of a selection, once it is written. */
const selected = async (token: string, list: string, query: object, rows: object) => {
  const id = await world.begin(token, { list, query, selected: rows } as never);
  const row = await world.ended(token, id);
  const file = (await world.download(token, id)).rawPayload;
  expect(row).toMatchObject({ is_selection: true, rows_expected: row.rows });
  expect(countedRows(file)).toBe(row.rows);
  return idsOf(file);
};

test('selected rows alone are exported, by their ids or as all that match less some, within scope', async () => {
  world.startWorker();
  const ids = async (token: string, call: string, query: object) =>
    (await world.as(token)(call, { query: { limit: '500', ...query } as never }))
      .json()
      .data.map(({ id }: { id: string }) => id) as string[];
  const own = await ids(staff, 'GET /api/traders', {});
  const all = await ids(superAdmin, 'GET /api/traders', {});
  const foreign = all.find((id) => !own.includes(id)) ?? '';
  expect(foreign).not.toBe('');
  const [first = '', second = '', third = ''] = own;
  expect(await selected(staff, 'traders', {}, { ids: [first, third, foreign] })).toEqual([first, third]);
  expect(await selected(staff, 'traders', {}, { except: [second] })).toEqual(
    own.filter((id) => id !== second),
  );
  // Filters hold for named rows as well.
  const inbox = await ids(staff, 'GET /api/traders', { tab: 'inbox' });
  expect(await selected(staff, 'traders', { tab: 'inbox' }, { ids: own })).toEqual(inbox);
});

test('of invoices: single ones, all of some traders, or all that match less those of some', async () => {
  world.startWorker();
  const invoices = await asOwner<{ id: string; trader_id: string; is_named: boolean }>(
    product.ownerUrl,
    `SELECT i.id, i.trader_id, t.reference_number IS NOT NULL AS is_named FROM invoice i JOIN trader t ON t.id = i.trader_id
     WHERE NOT i.is_archived ORDER BY i.created_at DESC, i.id DESC`,
  );
  const [single] = invoices;
  const other = invoices.find(({ trader_id, is_named }) => is_named && trader_id !== single?.trader_id);
  const idsWhere = (matches: (row: (typeof invoices)[number]) => boolean) =>
    invoices.filter(matches).map(({ id }) => id);
  expect(
    await selected(
      superAdmin,
      'invoices',
      {},
      { ids: [single?.id ?? ''], trader_ids: [other?.trader_id ?? ''] },
    ),
  ).toEqual(idsWhere(({ id, trader_id }) => id === single?.id || trader_id === other?.trader_id));
  expect(await selected(superAdmin, 'invoices', {}, { except: [other?.trader_id ?? ''] })).toEqual(
    idsWhere(({ trader_id, is_named }) => is_named && trader_id !== other?.trader_id),
  );
});

test('a selection names rows or what is left out, of a list that has one', async () => {
  const one = [crypto.randomUUID()];
  for (const [list, rows] of [
    ['traders', {}],
    ['traders', { ids: [] }],
    ['traders', { ids: one, except: one }],
    ['traders', { trader_ids: one }],
    ['payouts', { ids: one }],
  ] as const) {
    const answer = await world.as(staff)('POST /api/exports', { body: { list, selected: rows } } as never);
    expect([answer.statusCode, list, rows]).toEqual([400, list, rows]);
  }
});

test('what is asked for is recorded, with its filters', async () => {
  const id = await world.begin(staff, { list: 'invoices', query: { status: 'paid' } });
  await world.as(staff)('DELETE /api/exports/{id}', { params: { id } });
  const entries = await asOwner(
    product.ownerUrl,
    'SELECT action, actor_id, before, after FROM audit_entry WHERE target_kind = $1 AND target_id = $2 ORDER BY seq',
    ['export', id],
  );
  expect(entries).toEqual([
    {
      action: 'export.created',
      actor_id: staffId,
      before: null,
      after: { list: 'invoices', status: 'paid' },
    },
    {
      action: 'export.deleted',
      actor_id: staffId,
      before: { list: 'invoices', state: 'waiting' },
      after: null,
    },
  ]);
});

test('what the call of the list refuses is refused', async () => {
  const ask = (who: string, body: object) => world.as(who)('POST /api/exports', { body });
  const wrong = await ask(staff, { list: 'traders', query: { tab: 'outbox' } });
  expect(wrong.statusCode).toBe(400);
  expect(wrong.json().details[0].path).toBe('query.tab');
  expect(await refusal(ask(staff, { list: 'audit' }))).toEqual([403, 'super_admin_required']);
  expect(
    await refusal(ask(staff, { list: 'closed_positions', params: { id: crypto.randomUUID() } })),
  ).toEqual([404, 'not_found']);
  await give({ staff_roles: roles('viewer', 'viewer', 'viewer') });
  expect(await refusal(ask(staff, { list: 'traders' }))).toEqual([403, 'role_required']);
});

test('three wait or run, however many are asked for at once; a cancelled one makes room', async () => {
  const asked = await Promise.all(
    Array.from({ length: 6 }, () => world.as(staff)('POST /api/exports', { body: { list: 'traders' } })),
  );
  expect(asked.map(({ statusCode }) => statusCode).sort()).toEqual([202, 202, 202, 409, 409, 409]);
  const refused = asked.find(({ statusCode }) => statusCode === 409)?.json();
  expect(refused).toMatchObject({
    error: 'exports_unfinished',
    message: 'Three exports of yours are not finished. Wait for one or cancel it, then export again.',
  });
  // Those of others do not count.
  await world.begin(superAdmin);
  const id = (await world.listed(staff))[0]?.id ?? '';
  expect((await world.as(staff)('DELETE /api/exports/{id}', { params: { id } })).statusCode).toBe(200);
  await world.begin(staff);
});

test('twenty are kept; deleted and expired ones are not', async () => {
  const id = await world.begin(staff);
  const worker = world.startWorker();
  await world.ended(staff, id);
  await worker.stop();
  await copyExport(id, MAX_KEPT_EXPORTS - 1);
  const ask = () => world.as(staff)('POST /api/exports', { body: { list: 'traders' } });
  const refused = await ask();
  expect(refused.json()).toMatchObject({
    error: 'exports_kept',
    message: 'You keep 20 exports. Delete one that you no longer need, then export again.',
  });
  await world.as(staff)('DELETE /api/exports/{id}', { params: { id } });
  expect((await ask()).statusCode).toBe(202);
  expect((await ask()).statusCode).toBe(409);
  aheadMs = 7 * DAY_MS + 60_000;
  expect((await ask()).statusCode).toBe(202);
});

/** As the owner of the schema, in the context of the person. */
async function copyExport(id: string, copies: number): Promise<void> {
  await asOwner(
    product.ownerUrl,
    `WITH me AS MATERIALIZED (SELECT set_config('copydesk.caller', 'user:' || $3, false))
     INSERT INTO export SELECT (jsonb_populate_record(NULL::export, to_jsonb(e) || jsonb_build_object('id', gen_random_uuid()))).*
     FROM me, LATERAL (SELECT * FROM export WHERE id = $1 AND me.set_config IS NOT NULL) e, generate_series(1, $2::int)`,
    [id, copies, staffId],
  );
}

test('a cancelled export ends, and the next one begins', async () => {
  const lists = generated(10_000);
  const first = await world.begin(staff);
  const gate = gatedParts(product.db, 1);
  world.startWorker({ gate, lists });
  await gate.arrived;
  expect((await world.stored(first))?.parts).toBe(1);
  const second = await world.begin(staff);
  expect((await world.as(staff)('DELETE /api/exports/{id}', { params: { id: first } })).statusCode).toBe(200);
  // The worker reads nothing more of it, although its part still waits.
  await expect.poll(() => world.readers()).toEqual([]);
  gate.open();
  expect(await world.ended(staff, second)).toMatchObject({ state: 'ready', rows: 10_000 });
  expect(await world.stored(first)).toBeUndefined();
  expect((await world.listed(staff)).map(({ id }) => id)).toEqual([second]);
});

test('after seven days the file goes, after thirty its line', async () => {
  const id = await world.begin(staff);
  const worker = world.startWorker();
  await world.ended(staff, id);
  await worker.stop();
  const prune = () => pruneExports({ db: product.db, now: clock });
  aheadMs = 7 * DAY_MS - 60_000;
  await prune();
  expect((await world.download(staff, id)).statusCode).toBe(200);
  aheadMs = 7 * DAY_MS + 60_000;
  expect((await world.download(staff, id)).json()).toMatchObject({
    error: 'export_expired',
    message: 'This file was kept for seven days: export again',
  });
  await prune();
  expect(await world.stored(id)).toMatchObject({ state: 'ready', parts: 0 });
  expect(await world.find(staff, id)).toMatchObject({ state: 'ready' });
  aheadMs = 30 * DAY_MS + 60_000;
  await prune();
  expect(await world.stored(id)).toBeUndefined();
});
