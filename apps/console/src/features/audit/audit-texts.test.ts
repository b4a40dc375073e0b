import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { KINDS } from './audit-search.ts';
import { changesOf, detailOf, objectText, targetText, VERBS, verbOf } from './audit-texts.ts';

const SERVER = new URL('../../../../server/src/', import.meta.url).pathname;
/** What the server writes, word for word; composed actions are not found here. */
const written = globSync('**/*.ts', { cwd: SERVER })
  .filter((file) => !file.endsWith('.test.ts'))
  .flatMap((file) => [
    ...readFileSync(`${SERVER}${file}`, 'utf8').matchAll(/(?:action: |\? |: )'([a-z_]+\.[a-z_]+)'/g),
  ])
  .map(([, action]) => action as string)
  // A file of a backup.
  .filter((action) => action !== 'database.dump');

test('every action of the server has words', () => {
  expect(written.length).toBeGreaterThan(50);
  const kinds = new Set(KINDS.map(({ value }) => value));
  const unknown = written.filter((action) => kinds.has(action.split('.')[0] ?? '') && !(action in VERBS));
  expect([...new Set(unknown)]).toEqual([]);
});

test('every kind of action that has words can be chosen', () => {
  const kinds = new Set(KINDS.map(({ value }) => value));
  const named = new Set(Object.keys(VERBS).map((action) => action.split('.')[0] ?? ''));
  expect([...named].filter((kind) => !kinds.has(kind))).toEqual([]);
});

test('an action without words is written from its own', () => {
  expect(verbOf({ action: 'harvest.owner_reported', target_kind: 'pool', target_name: 'North' })).toBe(
    'recorded “harvest: owner reported” for the pool of',
  );
});

test('a target without a name is a short id, or what its kind is called', () => {
  const id = '01a207fa-e18b-70ec-9a21-ae7ca7541027';
  expect(targetText({ target_kind: 'trader', target_id: id, target_name: 'KAIT-7' })).toBe('KAIT-7');
  expect(targetText({ target_kind: 'trader', target_id: id, target_name: null })).toBe('01a207fa…');
  expect(targetText({ target_kind: 'harvest_run', target_id: id, target_name: null })).toBe(
    'the global harvest',
  );
});

const ABOUT = { action: 'trader.changed', target_kind: 'trader', target_id: 'a' };

test('changes name the field, the old and the new value, with the names of providers', () => {
  const names = new Map([
    ['a', 'Aurora'],
    ['b', 'Basalt'],
  ]);
  const changes = (before: unknown, after: unknown) =>
    changesOf({ ...ABOUT, before, after }, names).map(
      (change) => `${change.label}: ${change.before} to ${change.after}`,
    );
  expect(changes({ split_percentage: '7' }, { split_percentage: '12' })).toEqual(['split: 7% to 12%']);
  expect(changes({ payment_split_percentage: '0.29' }, { payment_split_percentage: '0.3' })).toEqual([
    'payment split: 29% to 30%',
  ]);
  expect(
    changes(
      { super: false, provider_access: ['a'], admin: true },
      { super: true, provider_access: ['a', 'b'], admin: true },
    ),
  ).toEqual(['super admin: no to yes', 'providers: Aurora to Aurora, Basalt']);
  expect(changes({ provider_id: 'a', is_active: true }, { provider_id: 'a', is_active: false })).toEqual([
    'active: yes to no',
  ]);
  expect(
    changes(
      { backed: '2.746666666666666666', account_id: '01a207fa-e18b-70ec-9a21-ae7ca7541027' },
      { backed: '0.5', account_id: null },
    ),
  ).toEqual(['backed: 2.746667 to 0.5', 'account: 01a207fa… to none']);
  expect(changes({ staff_roles: {} }, { staff_roles: { b: 'viewer', a: 'owner' } })).toEqual([
    'roles: staff to Aurora: owner, Basalt: viewer',
  ]);
  expect(
    changes({ status: 'paid', paid_units: '0' }, { status: 'paid', paid_units: '22691666666666666666' }),
  ).toEqual(['paid: 0.00 USDT to 22.691667 USDT']);
  expect(changes(null, { name: 'New' })).toEqual([]);
});

test('an entry says why, or whom it is about', () => {
  expect(detailOf({ ...ABOUT, before: null, after: { email: 'a@example.com', by: 'x' } })).toBe(
    'a@example.com',
  );
  expect(detailOf({ ...ABOUT, before: { provider: 'Aurora' }, after: null })).toBe('Aurora');
  expect(detailOf({ ...ABOUT, before: null, after: { reason: 'wrong amount', email: 'a' } })).toBe(
    'wrong amount',
  );
  expect(detailOf({ ...ABOUT, before: null, after: { units: '582002250000000000000' } })).toBe(
    '582.00225 USDT',
  );
  expect(detailOf({ ...ABOUT, before: null, after: { amount: '3203.33' } })).toBe('3,203.33 USDT');
  expect(detailOf({ ...ABOUT, before: null, after: { state: 'done' } })).toBeNull();
});

const SETTINGS = {
  labelOf: (name: string) => (name === 'largest' ? 'Largest payout' : null),
  textOf: (_name: string, value: unknown) => (value === null ? 'No limit' : `${value} USDT`),
};

test('a setting has the name and the values that its screen shows', () => {
  const setting = { target_kind: 'setting', target_id: 'largest', target_name: null };
  expect(targetText(setting, SETTINGS)).toBe('Largest payout');
  expect(targetText({ ...setting, target_id: 'of_a_later_version' }, SETTINGS)).toBe('of a later version');
  expect(
    changesOf({ ...setting, before: { value: 5 }, after: { value: null } }, new Map(), SETTINGS),
  ).toEqual([{ label: 'value', before: '5 USDT', after: 'No limit' }]);
  const declined = { ...setting, action: 'setting.declined', before: { value: 7 }, after: null };
  expect(detailOf(declined, SETTINGS)).toBe('7 USDT');
});

test('an order says what it does: by its name, or beside the pool or community that it is about', () => {
  const after = { act: 'credit_tipped', units: '45000000000000000000' };
  const order = {
    action: 'order.placed',
    target_id: 'a',
    target_name: 'archiving 2 invoices',
    before: null,
    after,
  };
  expect(verbOf({ ...order, target_kind: 'order' })).toBe('placed an order:');
  expect(detailOf({ ...order, target_kind: 'order' })).toBeNull();
  expect(verbOf({ ...order, target_kind: 'pool' })).toBe('placed an order for the pool of');
  expect(verbOf({ ...order, target_kind: 'community' })).toBe('placed an order for');
  expect(detailOf({ ...order, target_kind: 'community' })).toBe('turning credit into a tip, 45.00 USDT');
});

test('an object apart from its entries says what it is', () => {
  const id = '01a207fa-e18b-70ec-9a21-ae7ca7541027';
  const object = (target_kind: string, target_name: string | null) =>
    objectText({ target_kind, target_id: id, target_name });
  expect(object('trader', 'KAIT-7')).toBe('Trader KAIT-7');
  expect(object('trader', null)).toBe('Trader 01a207fa…');
  expect(object('invoice', 'KAIT-7')).toBe('Invoice of KAIT-7');
  expect(object('order', 'archiving 2 invoices')).toBe('Archiving 2 invoices');
  expect(object('transfer', null)).toBe('Transfer 01a207fa…');
});
