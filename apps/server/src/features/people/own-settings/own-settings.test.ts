import { PERSON_DEFAULTS } from '@copydesk/domain/settings';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, signInAs } from '../../../../../../tests/support/identity/callers.ts';
import { createWorld, PROVIDERS, type World } from '../../../../../../tests/support/identity/world.ts';
import { readOwnSettings } from './own-settings.store.ts';

type Signed = Awaited<ReturnType<typeof signInAs>>;

let world: World;
let superAdmin: Signed;
let staff: Signed;
beforeAll(async () => {
  world = await createWorld();
  superAdmin = await signInAs(world, 'super');
  staff = await signInAs(world, 'staff');
});
afterAll(() => world.close());

const LAYOUT = { order: ['name', 'status'], hidden: ['email'], widths: { name: 220 }, pinned: 'name' };

const me = async ({ authorization }: Pick<Signed, 'authorization'>, headers = {}) =>
  (await call(world, ['GET', '/api/me'], { authorization, headers })).body.data;
const change = ({ authorization }: Signed, body: object) =>
  call(world, ['PATCH', '/api/me/settings'], { authorization, body });
const arrange = ({ authorization }: Signed, list: string, body: object) =>
  call(world, ['PUT', `/api/me/lists/${list}`], { authorization, body });

test('without a choice everything is as the product has it', async () => {
  expect(await me(await signInAs(world, 'no-access'))).toMatchObject({
    settings: PERSON_DEFAULTS,
    lists: {},
  });
});

test('a change is there on every device, of this person alone', async () => {
  const changed = await change(staff, {
    time_zone: 'Europe/Berlin',
    numbers: 'point_comma',
    density: 'compact',
  });
  const expected = {
    ...PERSON_DEFAULTS,
    time_zone: 'Europe/Berlin',
    numbers: 'point_comma',
    density: 'compact',
  };
  expect([changed.status, changed.body.data]).toEqual([200, expected]);
  expect((await me(await signInAs(world, 'staff'))).settings).toEqual(expected);
  expect((await me(superAdmin)).settings).toEqual(PERSON_DEFAULTS);
});

test('a change leaves alone what it does not name, in two tabs at once as well', async () => {
  const person = await signInAs(world, 'staff-multi');
  await Promise.all([
    change(person, { dates: 'iso' }),
    change(person, { theme: 'dark' }),
    change(person, { shortcuts: false }),
    change(person, { start_screen: 'invoices' }),
  ]);
  const all = {
    ...PERSON_DEFAULTS,
    dates: 'iso',
    theme: 'dark',
    shortcuts: false,
    start_screen: 'invoices',
  };
  expect((await me(person)).settings).toEqual(all);
  expect((await change(person, {})).body.data).toEqual(all);
});

test('a time zone is stored under its one name', async () => {
  expect((await change(superAdmin, { time_zone: 'us/eastern' })).body.data.time_zone).toBe(
    'America/New_York',
  );
  expect((await change(superAdmin, { time_zone: 'UTC' })).body.data.time_zone).toBe('UTC');
});

test.each([
  [{ time_zone: 'Mars/Olympus' }],
  [{ time_zone: '+02:00' }],
  [{ time_zone: '' }],
  [{ time_zone: null }],
  [{ numbers: '1,234' }],
  [{ dates: 'us' }],
  [{ density: 'tiny' }],
  [{ start_screen: 'audit' }],
  [{ theme: 'blue' }],
  [{ shortcuts: 'yes' }],
  [{ language: 'de' }],
  [{ dates: 'iso', language: 'de' }],
])('%j is refused, and nothing changes', async (body) => {
  const before = (await me(superAdmin)).settings;
  expect((await change(superAdmin, body)).status).toBe(400);
  expect((await me(superAdmin)).settings).toEqual(before);
});

const version = expect.stringMatching(/^[0-9a-f]{16}$/);

test('a list is arranged, arranged again, and as the product has it', async () => {
  expect((await arrange(staff, 'traders', LAYOUT)).body.data).toEqual({ ...LAYOUT, version });
  const second = { ...LAYOUT, hidden: [], pinned: null };
  await arrange(staff, 'traders', second);
  await arrange(staff, 'audit', LAYOUT);
  expect((await me(staff)).lists).toEqual({
    traders: { ...second, version },
    audit: { ...LAYOUT, version },
  });
  expect((await me(superAdmin)).lists).toEqual({});

  const { authorization } = staff;
  for (const _ of ['once', 'and again'])
    expect((await call(world, ['DELETE', '/api/me/lists/traders'], { authorization })).status).toBe(200);
  expect((await me(staff)).lists).toEqual({ audit: { ...LAYOUT, version } });
});

test('of two tabs that arrange one list at once, the later one is refused, and merges', async () => {
  const hiding = (name: string, seen: string | null) =>
    arrange(staff, 'people', { ...LAYOUT, hidden: [name], version: seen });
  const atOnce = async (seen: string | null, hidden: readonly string[]) => {
    const answers = await Promise.all(hidden.map((name) => hiding(name, seen)));
    const taken = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status === 409);
    expect([taken.length, refused.length]).toEqual([1, 3]);
    expect(refused.map(({ body }) => body.error)).toEqual(Array(3).fill('changed_meanwhile'));
    // What was taken is what is stored, under the version that was answered.
    const { people } = (await me(staff)).lists;
    expect(people).toEqual(taken[0]?.body.data);
    return people.version;
  };
  const first = await atOnce(null, ['email', 'role', 'status', 'name']);
  const second = await atOnce(first, ['one', 'two', 'three', 'four']);
  expect((await hiding('seen', first)).status).toBe(409);
  expect((await hiding('seen', second)).status).toBe(200);
  // A tab that does not know of a reset may not bring the columns back.
  const { people } = (await me(staff)).lists;
  await call(world, ['DELETE', '/api/me/lists/people'], { authorization: staff.authorization });
  expect((await hiding('role', people.version)).status).toBe(409);
  expect((await me(staff)).lists.people).toBeUndefined();
});

const ids = (count: number, length: number) =>
  Array.from({ length: count }, (_, index) =>
    `${String.fromCharCode(97 + Math.floor(index / 26))}${String.fromCharCode(97 + (index % 26))}`.padEnd(
      length,
      'x',
    ),
  );

test('the longest layout that is taken fits into its row', async () => {
  const widths = Object.fromEntries(ids(40, 30).map((id) => [id, 1_200]));
  const layout = { ...LAYOUT, order: ids(40, 29), hidden: ids(24, 26), widths };
  expect(JSON.stringify(layout).length).toBeGreaterThan(3_500);
  expect((await arrange(staff, 'pools', layout)).status).toBe(200);
});

test.each([
  ['of an unknown list', 'wallets', LAYOUT],
  ['with a part missing', 'people', { order: [], hidden: [], widths: {} }],
  ['with something more', 'people', { ...LAYOUT, sorted: 'name' }],
  ['with an id that is none', 'people', { ...LAYOUT, order: ['Name'] }],
  ['with an id twice', 'people', { ...LAYOUT, order: ['name', 'name'] }],
  ['with 41 columns', 'people', { ...LAYOUT, order: ids(41, 2) }],
  ['with 41 widths', 'people', { ...LAYOUT, widths: Object.fromEntries(ids(41, 2).map((id) => [id, 100])) }],
  ['with a column too narrow', 'people', { ...LAYOUT, widths: { name: 47 } }],
  ['with a column too wide', 'people', { ...LAYOUT, widths: { name: 1_201 } }],
  [
    'longer than its row',
    'people',
    { ...LAYOUT, order: ids(40, 40), widths: Object.fromEntries(ids(40, 40).map((id) => [id, 100])) },
  ],
])('a layout %s is refused', async (_what, list, layout) => {
  expect((await arrange(staff, list, layout)).status).toBe(400);
  expect((await me(staff)).lists.people).toBeUndefined();
});

describe('others', () => {
  test('who view as the person see its settings, and change nothing', async () => {
    const { authorization } = superAdmin;
    await change(staff, { dates: 'day_month' });
    await call(world, ['POST', `/api/users/${staff.userId}/view-as`], { authorization, body: {} });
    const headers = { 'x-view-as': staff.userId };
    expect((await me(superAdmin, headers)).settings).toEqual((await me(staff)).settings);
    const calls: ['PATCH' | 'PUT' | 'DELETE', string, object?][] = [
      ['PATCH', '/api/me/settings', { dates: 'iso' }],
      ['PUT', '/api/me/lists/people', LAYOUT],
      ['DELETE', '/api/me/lists/audit'],
    ];
    for (const [method, url, body] of calls) {
      const answer = await call(world, [method, url], { authorization, headers, ...(body && { body }) });
      expect([url, answer.body.error]).toEqual([url, 'view_as_read_only']);
    }
    await call(world, ['DELETE', '/api/view-as'], { authorization });
    expect(await me(staff)).toMatchObject({ settings: { dates: 'day_month' }, lists: { audit: LAYOUT } });
  });

  test('are refused as programs', async () => {
    const created = await call(world, ['POST', '/api/service-tokens'], {
      authorization: superAdmin.authorization,
      body: { name: 'Report', scopes: ['directory:read'], provider_ids: [PROVIDERS[0]?.id] },
    });
    const service = { authorization: created.body.data.token };
    for (const { status, body } of [
      await call(world, ['PATCH', '/api/me/settings'], { ...service, body: { dates: 'iso' } }),
      await call(world, ['PUT', '/api/me/lists/people'], { ...service, body: LAYOUT }),
      await call(world, ['DELETE', '/api/me/lists/people'], service),
    ])
      expect([status, body.error]).toEqual([403, 'service_scope_required']);
  });

  test('see nothing of it, even in a transaction that sees everything', async () => {
    const all = { kind: 'all' } as const;
    const nothing = { settings: PERSON_DEFAULTS, lists: {} };
    const read = (caller?: { kind: 'user' | 'service'; id: string }) =>
      world.db.read(all, (tx) => readOwnSettings(tx, staff.userId), caller);
    expect(await read({ kind: 'user', id: staff.userId })).not.toEqual(nothing);
    expect(await read({ kind: 'user', id: superAdmin.userId })).toEqual(nothing);
    expect(await read({ kind: 'service', id: staff.userId })).toEqual(nothing);
    expect(await read()).toEqual(nothing);
  });
});

test('the defaults are not stored: a later one counts for whoever chose nothing', async () => {
  const { rows } = await world.db.read(
    { kind: 'all' },
    (tx) => sql`SELECT numbers, theme, shortcuts FROM person_settings`.execute(tx.sql),
    { kind: 'user', id: staff.userId },
  );
  expect(rows).toEqual([{ numbers: 'point_comma', theme: null, shortcuts: null }]);
});
