import { globSync, readFileSync } from 'node:fs';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { linesOfCsv } from '../../../../../tests/support/csv-lines.ts';
import { asOwner } from '../../../../../tests/support/owner.ts';
import { sealAudit } from '../../../../../tests/support/seal-audit.ts';
import { send } from '../../../../../tests/support/send.ts';
import { AUDIT_KEY, createTestApp, type TestApp } from '../../../../../tests/support/test-app.ts';
import { takeVerificationTurn } from '../../platform/audit/verify-turn.ts';
import { WHOLE_SCOPE } from '../../platform/db/database.ts';
import { WORKER_ACTOR } from '../../platform/work/worker-actor.ts';

let product: TestApp;
let superAdmin: string;
let other: string;
let providerId: string;
let communityId: string;

beforeAll(async () => {
  product = await createTestApp({ scale: 0.05 });
  superAdmin = await product.signIn('super');
  other = await product.signIn('super-2');
  const [row] = await asOwner<{ provider: string; community: string }>(
    product.ownerUrl,
    `SELECT p.id AS provider, l.community_id AS community FROM provider p JOIN community_provider l ON l.provider_id = p.id
     WHERE p.name = 'aurora' LIMIT 1`,
  );
  ({ provider: providerId, community: communityId } = row ?? { provider: '', community: '' });
  await send(
    product.app,
    'PUT /api/providers/{id}',
    { params: { id: providerId }, body: { display_name: 'Aurora Renamed' } },
    superAdmin,
  );
  for (const minimum of [101, 102, 103])
    await send(
      product.app,
      'PATCH /api/communities/{id}',
      { params: { id: communityId }, body: { minimum_balance: minimum } },
      other,
    );
  await send(
    product.app,
    'PUT /api/communities/{id}/providers/{providerId}',
    { params: { id: communityId, providerId }, body: { custom_display_name: 'House' } },
    superAdmin,
  );
});
afterAll(() => product.close());

const list = async (query: Record<string, string> = {}) =>
  (await send(product.app, 'GET /api/audit', { query }, superAdmin)).json();
const actionsOf = ({ data }: { data: { action: string }[] }) => data.map(({ action }) => action);
const chain = async () => (await send(product.app, 'GET /api/audit/chain', {}, superAdmin)).json().data;
const takeTurn = () =>
  takeVerificationTurn({
    db: product.db,
    auditKeys: { chain: AUDIT_KEY, worker: null },
    log: pino({ level: 'silent' }),
  });

test('entries come newest first, with the names that their targets have today', async () => {
  const { data, meta } = await list({ limit: '2' });
  expect(data[0]).toMatchObject({
    action: 'community.provider_changed',
    actor_name: 'super@demo.example',
    target_kind: 'community',
    after: { provider: 'Aurora Renamed', custom_display_name: 'House' },
  });
  expect(data[0].target_name).toEqual(expect.any(String));
  expect(meta).toMatchObject({ is_total_capped: false, next_seq: data[1].seq });
  const next = await list({ limit: '2', before_seq: meta.next_seq });
  expect(Number(next.data[0].seq)).toBe(Number(data[1].seq) - 1);
});

test('by person, object, kind, provider and day', async () => {
  const [{ id: otherId } = { id: '' }] = await asOwner<{ id: string }>(
    product.ownerUrl,
    `SELECT id FROM identity."user" WHERE email = 'super-2@demo.example'`,
  );
  const settings = 'community.settings_changed';
  expect(actionsOf(await list({ actor_id: otherId }))).toEqual([settings, settings, settings]);
  expect(actionsOf(await list({ target_kind: 'community', target_id: communityId, limit: '3' }))).toEqual([
    'community.provider_changed',
    settings,
    settings,
  ]);
  expect(actionsOf(await list({ kind: 'provider' }))).toEqual(['provider.changed']);
  expect(actionsOf(await list({ provider_id: providerId }))).toEqual([
    'community.provider_changed',
    'provider.changed',
  ]);
  const today = new Date().toISOString().slice(0, 10);
  // The day may have begun since the first entry.
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  const all = (await list()).meta.total;
  expect((await list({ from: yesterday, to: today })).meta.total).toBe(all);
  expect((await list({ to: '2020-01-01' })).data).toEqual([]);
  expect((await list({ from: '2099-01-01' })).data).toEqual([]);
  expect((await list({ from: 'yesterday' })).error).toBe('validation_failed');
});

test('what people decided about orders of others', async () => {
  const decisions = ['setting.approved', 'setting.declined', 'payout_address.released', 'user.confirmed'];
  await product.db.write(WHOLE_SCOPE, WORKER_ACTOR, async (tx) => {
    for (const action of [...decisions, 'setting.requested', 'waitlist.approved'])
      tx.audit({ action, target: { kind: 'setting', id: 'minimum_invoice_usdt' } });
  });
  expect(actionsOf(await list({ is_decision: 'true' }))).toEqual(decisions.toReversed());
  expect(actionsOf(await list({ is_decision: 'true', kind: 'user' }))).toEqual(['user.confirmed']);
});

/** Words of a decision that are none about an order of another person. */
const NO_DECISIONS = new Set([
  // Asked for by people without an account.
  ...['waitlist.approved', 'waitlist.declined'],
  // By the owner of the address, or of the account.
  ...['payout_address.confirmed', 'user.reauthentication_refused'],
  // On the machine of the workers.
  ...['pool.flows_released', 'database.wallets_released'],
]);

test('every action that sounds like a decision is known as one', async () => {
  const source = new URL('../../', import.meta.url).pathname;
  const written = globSync('**/*.ts', { cwd: source })
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) => [
      ...readFileSync(`${source}${file}`, 'utf8').matchAll(
        /'([a-z_]+\.[a-z_]*(?:approved|declined|confirmed|released|refused))'/g,
      ),
    ])
    .map(([, action]) => action as string)
    .filter((action) => !NO_DECISIONS.has(action));
  expect(written.length).toBeGreaterThan(4);
  const unknown = await asOwner(
    product.ownerUrl,
    'SELECT DISTINCT a FROM unnest($1::text[]) a WHERE NOT app.is_decision(a)',
    [written],
  );
  expect(unknown).toEqual([]);
});

test('what was done to one object: with other filters, page by page, and named also where nothing matches', async () => {
  const about = { target_kind: 'community', target_id: communityId };
  const [{ name } = { name: '' }] = await asOwner<{ name: string }>(
    product.ownerUrl,
    `SELECT name FROM community WHERE id = '${communityId}'`,
  );
  const minimums: unknown[] = [];
  let before: string | undefined;
  do {
    const { data, meta } = await list({
      ...about,
      kind: 'community',
      limit: '2',
      ...(before && { before_seq: before }),
    });
    expect(meta.target_name).toBe(name);
    minimums.push(...data.map(({ after }: { after: { minimum_balance?: string } }) => after.minimum_balance));
    before = meta.next_seq;
  } while (before);
  expect(minimums).toEqual([undefined, '103', '102', '101']);
  const [byOther] = (await list({ ...about, limit: '1', kind: 'community' })).data;
  expect(
    (await list({ ...about, actor_id: byOther.actor_id })).data.map(({ seq }: { seq: string }) => seq),
  ).toEqual([byOther.seq]);
  expect(await list({ ...about, kind: 'invoice' })).toMatchObject({
    data: [],
    meta: { total: 0, target_name: name },
  });
  // The same id of another kind is another object.
  expect(await list({ ...about, target_kind: 'trader' })).toMatchObject({
    data: [],
    meta: { target_name: null },
  });
  expect(await list({ target_kind: 'community', target_id: 'gone' })).toMatchObject({
    data: [],
    meta: { target_name: null },
  });
  const csv = await send(
    product.app,
    'GET /api/audit/export',
    { query: { ...about, kind: 'community' } },
    superAdmin,
  );
  expect(linesOfCsv(csv.body)).toHaveLength(5);
});

test('changes of a setting are found by its name', async () => {
  const changed = await send(
    product.app,
    'PUT /api/platform-settings',
    { body: { set: { approver_min_hours: 48 }, version: 0 } },
    superAdmin,
  );
  expect(changed.statusCode).toBe(200);
  const { data } = await list({ target_kind: 'setting', target_id: 'approver_min_hours' });
  expect(data).toMatchObject([
    { action: 'setting.changed', actor_name: 'super@demo.example', after: { value: 48 } },
  ]);
  expect(
    (await list({ target_kind: 'setting', target_id: 'vip_tiers', actor_id: data[0].actor_id })).data,
  ).toEqual([]);
});

test('an order says what it does, and a person without an account is no link', async () => {
  const invoices = await asOwner<{ id: string; units: string }>(
    product.ownerUrl,
    `SELECT DISTINCT ON (community_id) id, amount_units - paid_units AS units FROM invoice
     WHERE status = 'pending' AND NOT is_archived AND paid_units = 0 ORDER BY community_id, amount_units LIMIT 2`,
  );
  const archived = await send(
    product.app,
    'PATCH /api/invoices/admin/archive',
    { body: { invoice_ids: invoices.map(({ id }) => id), is_archived: true, reason: 'Agreed' } },
    superAdmin,
  );
  expect(archived.statusCode).toBeLessThan(300);
  const [entry] = (await list({ target_kind: 'order', limit: '1' })).data;
  expect(entry).toMatchObject({ action: 'order.placed', is_actor_person: true });
  expect(entry.target_name).toMatch(/^archiving 2 invoices, [\d,]+\.\d{2,6} USDT unpaid$/);
  const units = invoices.reduce((sum, invoice) => sum + BigInt(invoice.units), 0n);
  const [amount = ''] = entry.target_name.match(/[\d,]+\.\d+/) ?? [];
  expect(Number(amount.replaceAll(',', ''))).toBeCloseTo(Number(units) / 1e18, 5);

  const system = (await list({ actor_kind: 'system', limit: '1' })).data;
  expect(system).toMatchObject([{ is_actor_person: false }]);
});

test('the export has the same entries, and staff get none', async () => {
  const csv = await send(product.app, 'GET /api/audit/export', { query: { kind: 'provider' } }, superAdmin);
  expect(linesOfCsv(csv.body)).toHaveLength(2);
  expect(csv.body).toContain('provider.changed');
  const staff = await product.signIn('staff');
  expect((await send(product.app, 'GET /api/audit', { query: {} }, staff)).statusCode).toBe(403);
});

test('a check of the chain is requested once, made by a worker, and finds what was altered', async () => {
  const verify = async () => (await send(product.app, 'POST /api/audit/verify', {}, superAdmin)).json().data;
  expect(await verify()).toMatchObject({ requested_by: 'super@demo.example', is_intact: null });
  await verify();
  const before = await chain();
  expect(before).toMatchObject({
    head: null,
    unsealed: { count: expect.any(Number), since: expect.any(String) },
  });
  expect((await list({ limit: '1' })).data).toMatchObject([{ is_sealed: false }]);
  await sealAudit(product.db);
  expect((await list({ limit: '1' })).data).toMatchObject([{ is_sealed: true }]);
  await Promise.all([takeTurn(), takeTurn()]);
  const { head, last, open, unsealed } = await chain();
  expect([open, unsealed]).toEqual([null, { count: 0, since: null }]);
  expect(Number(head.position)).toBe(before.unsealed.count);
  expect(last).toMatchObject({ is_intact: true, entries: Number(head.position), head_hash: head.hash });
  const [count] = await asOwner<{ n: number }>(
    product.ownerUrl,
    'SELECT count(*)::int AS n FROM audit_verification',
  );
  expect(count?.n).toBe(1);

  await verify();
  await asOwner(
    product.ownerUrl,
    `ALTER TABLE audit_entry NO FORCE ROW LEVEL SECURITY;
     ALTER TABLE audit_entry DISABLE TRIGGER audit_entry_append_only;
     UPDATE audit_entry SET actor_name = 'Nobody' WHERE seq = 2;
     ALTER TABLE audit_entry ENABLE TRIGGER audit_entry_append_only`,
  );
  await takeTurn();
  expect((await chain()).last).toMatchObject({
    is_intact: false,
    problem: 'altered_entry',
    problem_seq: '2',
  });
});
