import type { CallAnswer } from '@copydesk/contract';
import { AS_IS } from '@copydesk/domain/settings';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { signInAs } from '../../../../../../tests/support/identity/callers.ts';
import { send } from '../../../../../../tests/support/send.ts';
import { createTestApp, type TestApp } from '../../../../../../tests/support/test-app.ts';

type Signed = Awaited<ReturnType<typeof signInAs>>;
type View = CallAnswer<'GET /api/saved-views'>['data'][number];

let product: TestApp;
let superAdmin: Signed;
/** Of one provider, and of that and others. */
let one: Signed;
let both: Signed;
beforeAll(async () => {
  product = await createTestApp();
  [superAdmin, one, both] = await Promise.all([
    signInAs(product, 'super'),
    signInAs(product, 'staff'),
    signInAs(product, 'staff-multi'),
  ]);
});
afterAll(() => product.close());
beforeEach(async () => {
  for (const person of [superAdmin, one, both]) {
    for (const { id, is_own } of await list(person)) if (is_own) await forget(person, id);
  }
});

const call = async (who: Signed, key: string, parts: object, headers = {}) => {
  const answer = await send(product.app, key, parts, who.authorization, headers);
  return { status: answer.statusCode, ...(answer.json() as { data: never; error?: string }) };
};
const save = (who: Signed, name: string, more: object = {}, headers = {}) =>
  call(
    who,
    'POST /api/saved-views',
    { body: { screen: 'traders', name, query: 'tab=all', ...more } },
    headers,
  );
const saved = async (who: Signed, name: string, more: object = {}): Promise<View> =>
  (await save(who, name, more)).data;
const list = async (who: Signed, screen = 'traders'): Promise<View[]> =>
  (await call(who, 'GET /api/saved-views', { query: { screen } })).data;
const forget = async (who: Signed, id: string) =>
  (await call(who, 'DELETE /api/saved-views/{id}', { params: { id } })).status;
const open = async (who: Signed, view_id: string | null, screen = 'traders') =>
  (await call(who, 'PUT /api/saved-views/default', { body: { screen, view_id } })).status;
const opened = async (who: Signed) =>
  ((await call(who, 'GET /api/me', {})).data as CallAnswer<'GET /api/me'>['data']).default_views;
const names = (views: View[]) => views.map(({ name }) => name);

test('a view keeps the columns as well, and belongs to one list', async () => {
  const layout = { ...AS_IS, hidden: ['status'], widths: { aum: 200 } };
  expect(await save(one, 'Narrow', { layout })).toMatchObject({
    status: 201,
    data: { name: 'Narrow', layout, is_own: true, is_shared: false, shared_by: null, is_default: false },
  });
  expect(await list(one, 'invoices')).toEqual([]);
  await save(one, 'Narrow');
  expect(await list(one)).toMatchObject([{ name: 'Narrow', layout: null }]);
});

test('a shared view is seen by whoever sees all that its author sees', async () => {
  await save(one, 'Of one', { is_shared: true });
  await save(both, 'Of both', { is_shared: true });
  await save(superAdmin, 'Of all', { is_shared: true });
  await save(both, 'Private');
  expect(names(await list(one))).toEqual(['Of one', 'Of all']);
  expect(names(await list(both))).toEqual(['Of both', 'Private', 'Of all', 'Of one']);
  expect(names(await list(superAdmin))).toEqual(['Of all', 'Of both', 'Of one']);
  const foreign = (await list(both)).find(({ name }) => name === 'Of one');
  expect(foreign).toMatchObject({ is_own: false, is_shared: true });
  expect(foreign?.shared_by).toBeTruthy();
});

test('who works in one provider shares what that provider shows', async () => {
  const { data } = (await call(both, 'GET /api/me', {})) as { data: CallAnswer<'GET /api/me'>['data'] };
  const [here, there] = data.organizations;
  const visible = async (id = '') => {
    const views = await call(
      both,
      'GET /api/saved-views',
      { query: { screen: 'traders' } },
      { 'x-organization': id },
    );
    return names((views.data as View[]).filter(({ is_own }) => !is_own));
  };
  // Its author works in all its providers: who works in one of them sees less.
  await save(superAdmin, 'Of all', { is_shared: true });
  await save(one, 'Of one', { is_shared: true });
  const seen = [await visible(here?.id), await visible(there?.id)];
  expect(seen.filter((views) => views.includes('Of one'))).toHaveLength(1);
  expect(seen.every((views) => views.includes('Of all'))).toBe(true);
});

test('a shared view is changed and deleted by its author alone, and is private again at will', async () => {
  const { id } = await saved(one, 'Ours', { is_shared: true });
  expect(await forget(superAdmin, id)).toBe(404);
  // Under the same name: another's view is its own.
  await save(superAdmin, 'Ours', { query: 'tab=inbox' });
  expect((await list(one))[0]).toMatchObject({ id, query: 'tab=all' });
  await save(one, 'Ours', { is_shared: false });
  expect(names(await list(both))).toEqual([]);
  expect(await forget(one, id)).toBe(200);
});

test('a list opens with one view, the own or a shared one, until it is gone', async () => {
  const shared = await saved(one, 'Shared', { is_shared: true });
  const own = await saved(both, 'Own', { query: 'tab=inbox' });
  expect(await open(both, own.id)).toBe(200);
  expect(await open(both, shared.id)).toBe(200);
  expect(await opened(both)).toEqual({ traders: { id: shared.id, query: 'tab=all', layout: null } });
  expect((await list(both)).filter(({ is_default }) => is_default)).toMatchObject([{ id: shared.id }]);
  expect((await list(one)).filter(({ is_default }) => is_default)).toEqual([]);
  await save(one, 'Shared', { is_shared: false });
  expect(await opened(both)).toEqual({});
  await save(one, 'Shared', { is_shared: true });
  await open(both, null);
  expect(await opened(both)).toEqual({});
});

test('a view that the person does not see cannot be the default, nor one of another list', async () => {
  expect(await open(one, (await saved(superAdmin, 'Private')).id)).toBe(404);
  expect(await open(one, (await saved(one, 'Mine')).id, 'invoices')).toBe(404);
});

test('a hundred views of a list are enough; each of them can still be replaced', async () => {
  await product.db.write({ kind: 'all' }, { kind: 'user', id: one.userId, name: 'One' }, (tx) =>
    sql`INSERT INTO saved_view (user_id, screen, name, query)
        SELECT ${one.userId}, 'traders', 'View ' || n, '' FROM generate_series(1, 100) n`.execute(tx.sql),
  );
  expect(await save(one, 'One more')).toMatchObject({
    status: 409,
    error: 'too_many_views',
  });
  expect((await save(one, 'View 7', { query: 'tab=all' })).status).toBe(201);
});
