import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { linesOfCsv } from '../../../../../tests/support/csv-lines.ts';
import { asOwner } from '../../../../../tests/support/owner.ts';
import { sealAudit } from '../../../../../tests/support/seal-audit.ts';
import { send } from '../../../../../tests/support/send.ts';
import { createTestApp, type TestApp } from '../../../../../tests/support/test-app.ts';
import { createStatements } from '../../platform/db/statements.ts';
import { readAuditWords } from './audit-words.store.ts';

let product: TestApp;
let superAdmin: string;
let community: { id: string; name: string };

beforeAll(async () => {
  product = await createTestApp({ scale: 0.05 });
  superAdmin = await product.signIn('super');
  const [row] = await owner<{ id: string; name: string }>(
    'SELECT id, name FROM community ORDER BY id LIMIT 1',
  );
  community = row as typeof community;
  await change({ minimum_balance: 4711 });
  await change({ name: 'Большая Гавань' });
});
afterAll(() => product.close());

const owner = <R extends object>(text: string, values: unknown[] = []) =>
  asOwner<R & Record<string, unknown>>(product.ownerUrl, text, values);
const change = (body: Record<string, unknown>) =>
  send(
    product.app,
    'PATCH /api/communities/{id}',
    { params: { id: community.id }, body: body as never },
    superAdmin,
  );
const list = async (query: Record<string, string>) => {
  const answer = await send(product.app, 'GET /api/audit', { query }, superAdmin);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
};
const isRead = async () => {
  const [row] = await owner<{ is_read: boolean }>(
    'SELECT (SELECT max(seq) FROM audit_entry) = (SELECT max(seq) FROM audit_text) IS TRUE AS is_read',
  );
  return row?.is_read;
};

const FOUND_BY: readonly (() => string)[] = [
  () => community.id,
  () => community.id.slice(0, 8),
  () => community.name,
  () => community.name.toUpperCase(),
  () => '4711',
  () => '47',
  () => 'settings changed 4711',
  () => 'community.settings_changed',
  () => 'super@demo.example',
  () => 'SUPER minimum',
  () => 'БОЛЬШАЯ',
  () => 'гав',
];

for (const words of ['not read yet', 'read'] as const)
  test(`an entry whose words are ${words} is found by who, what, the object and its values`, async () => {
    if (words === 'read') {
      // What no worker has sealed yet is not read: its place in the chain is open.
      expect(await readAuditWords(product.db)).toBe(0);
      await sealAudit(product.db);
      expect(await readAuditWords(product.db)).toBeGreaterThan(0);
      expect(await readAuditWords(product.db)).toBe(0);
    }
    expect(await isRead()).toBe(words === 'read');
    for (const text of FOUND_BY) {
      const { data, meta } = await list({ search: text(), target_kind: 'community' });
      expect(
        data.map((each: { target_id: string }) => each.target_id),
        text(),
      ).toContain(community.id);
      expect(meta).toMatchObject({ total: data.length, is_total_capped: false, next_seq: null });
    }
    // All words, from their beginnings.
    for (const text of ['4711 Atlantis', '711', 'nothing of the kind'])
      expect((await list({ search: text })).data, text).toEqual([]);
    const [one] = (await list({ search: '4711' })).data;
    expect(one).toMatchObject({ action: 'community.settings_changed', after: { minimum_balance: '4711' } });
  });

test('a search narrows other filters, pages and the file', async () => {
  for (const minimum of [5001, 5002, 5003]) await change({ minimum_balance: minimum });
  const first = await list({ search: 'minimum 500', limit: '2' });
  expect(first.meta).toMatchObject({ total: 3, next_seq: first.data[1].seq });
  const rest = await list({ search: 'minimum 500', limit: '2', before_seq: first.meta.next_seq });
  expect([...first.data, ...rest.data].map(({ after }) => after.minimum_balance)).toEqual([
    '5003',
    '5002',
    '5001',
  ]);
  expect((await list({ search: 'minimum 500', actor_kind: 'system' })).data).toEqual([]);
  const file = await send(
    product.app,
    'GET /api/audit/export',
    { query: { search: 'minimum 500' } },
    superAdmin,
  );
  expect(linesOfCsv(file.body).length).toBe(1 + 3);
});

test.each([
  "'",
  "''':*",
  '\\',
  '%',
  ':*',
  'a & | ! b',
  '(((',
  '😀',
  '<b>',
  '4711\\',
  '\u202e4711',
  '4711:*&',
])('the text %j is words or nothing, never an error', async (search) => {
  const { data } = await list({ search });
  expect(data.length === 0 || search.includes('4711') || /[ab]/.test(search)).toBe(true);
});

test('where more is found than is looked at for a page, the rest follows', async () => {
  // The latest ten thousand are about something else than the first one.
  await owner(
    `INSERT INTO audit_entry (seq, at, actor_kind, actor_id, actor_name, action, target_kind, target_id, previous_hash, hash)
     SELECT nextval('audit_number'), now(), 'system', 'x', 'Filling', CASE n WHEN 1 THEN 'rare.one' ELSE 'common.one' END,
       'test', n::text, sha256(n::text::bytea), sha256(('h' || n)::bytea) FROM generate_series(1, 10500) n`,
  );
  await owner("INSERT INTO audit_unsealed (seq) SELECT seq FROM audit_entry WHERE actor_name = 'Filling'");
  await sealAudit(product.db);
  const [once, twice] = await Promise.all([readAuditWords(product.db), readAuditWords(product.db)]);
  expect(Math.max(once, twice)).toBeGreaterThan(0);
  expect(await isRead()).toBe(true);
  const all = await list({ search: 'filling' });
  expect(all.meta).toMatchObject({ total: 10_000, is_total_capped: true });
  const first = await list({ search: 'filling', kind: 'rare' });
  expect(first.data).toEqual([]);
  expect(first.meta).toMatchObject({ total: 0, is_total_capped: true, next_seq: expect.any(String) });
  const next = await list({ search: 'filling', kind: 'rare', before_seq: first.meta.next_seq });
  expect(next.data.map((each: { action: string }) => each.action)).toEqual(['rare.one']);
  expect(next.meta.next_seq).toBeNull();
  const file = await send(
    product.app,
    'GET /api/audit/export',
    { query: { search: 'filling', kind: 'rare' } },
    superAdmin,
  );
  expect(linesOfCsv(file.body).length).toBe(1 + 1);
});

test('the words are for whoever sees all, and through functions only', async () => {
  const found = (scope: Parameters<TestApp['db']['read']>[0]) =>
    product.db.read(scope, async (tx) => {
      const { rows } = await sql`SELECT app.search_audit('4711', 9223372036854775807, 10)`.execute(tx.sql);
      return rows.length;
    });
  expect(await found({ kind: 'all' })).toBeGreaterThan(0);
  const [provider] = await owner<{ id: string }>('SELECT id FROM provider LIMIT 1');
  expect(await found({ kind: 'providers', providerIds: [provider?.id as string] })).toBe(0);
  await expect(createStatements(product.db.pool).query('SELECT FROM audit_text')).rejects.toThrow(
    /permission denied/,
  );
});
