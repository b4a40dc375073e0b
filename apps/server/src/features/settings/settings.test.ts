import { SETTING_DEFAULTS } from '@copydesk/domain/settings';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asOwner } from '../../../../../tests/support/owner.ts';
import { send } from '../../../../../tests/support/send.ts';
import { createTestApp, type TestApp } from '../../../../../tests/support/test-app.ts';
import { saveDefaults } from './settings.store.ts';

let product: TestApp;
let first: string;
let second: string;
beforeAll(async () => {
  product = await createTestApp({
    env: { PAYOUT_MAX_PER_DAY: '5000', LOCKED_SETTINGS: 'chain_max_fee_gwei' },
  });
  first = await product.signIn('super');
  second = await product.signIn('super-2');
});
afterAll(() => product.close());

const as =
  (who: string) =>
  (call: string, parts: Parameters<typeof send>[2] = {}) =>
    send(product.app, call, parts, who);
const settingOf = async (name: string, who = first) =>
  (await as(who)('GET /api/platform-settings'))
    .json()
    .data.find((each: { name: string }) => each.name === name);
const put = async (name: string, value: unknown, who = first) => {
  const { version } = await settingOf(name, who);
  return as(who)('PUT /api/platform-settings', { body: { set: { [name]: value }, version } });
};
const approve = (id: string, who: string) =>
  as(who)('POST /api/platform-settings/changes/{id}/approve', { params: { id } });
const decline = (id: string, who: string) =>
  as(who)('POST /api/platform-settings/changes/{id}/decline', { params: { id } });

test('every setting has its default, which a variable may give and lock', async () => {
  const { data } = (await as(first)('GET /api/platform-settings')).json();
  expect(data.map(({ name }: { name: string }) => name)).toEqual(Object.keys(SETTING_DEFAULTS));
  expect(await settingOf('payout_max_per_day')).toMatchObject({
    value: 5000,
    is_from_environment: true,
    is_locked: false,
    version: 0,
  });
  expect(await settingOf('chain_max_fee_gwei')).toMatchObject({ is_locked: true });
  expect((await put('chain_max_fee_gwei', 10)).json().error).toBe('setting_locked');
});

test('tightening applies at once, loosening waits for another super admin', async () => {
  const tightened = (await put('payout_address_hold_hours', 48)).json().data;
  expect(tightened).toMatchObject({ value: 48, version: 1, changed_by: 'super@demo.example', waiting: null });
  const { data: asked } = (await put('payout_address_hold_hours', 0)).json();
  expect(asked).toMatchObject({ value: 48, waiting: { previous: 48, value: 0, state: 'waiting' } });
  expect(asked.waiting.refusal).not.toBeNull();
  expect((await approve(asked.waiting.id, first)).json().error).toBe('own_approval');
  expect((await settingOf('payout_address_hold_hours', second)).waiting.refusal).toBeNull();
  const approved = (await approve(asked.waiting.id, second)).json().data;
  expect(approved).toMatchObject({ value: 0, version: 2, waiting: null, changed_by: 'super-2@demo.example' });
  expect((await approve(asked.waiting.id, second)).json().error).toBe('not_found');
  const { data } = (await as(first)('GET /api/platform-settings/changes', { query: { limit: '1' } })).json();
  expect(data[0]).toMatchObject({ value: 0, state: 'applied', decided_by: 'super-2@demo.example' });
});

test('a hold or an age of approvers beyond three days waits for another super admin', async () => {
  for (const name of ['payout_address_hold_hours', 'approver_min_hours']) {
    const before = (await settingOf(name)).value;
    const { data } = (await put(name, 73)).json();
    expect(data).toMatchObject({ value: before, waiting: { value: 73 } });
    expect((await approve(data.waiting.id, first)).json().error).toBe('own_approval');
    await decline(data.waiting.id, first);
  }
});

test('a waiting change is one, and can be withdrawn', async () => {
  const waiting = (await put('approver_min_hours', 1)).json().data.waiting;
  expect((await put('approver_min_hours', 2)).json().error).toBe('setting_waiting');
  expect((await decline(waiting.id, first)).json().data).toMatchObject({ value: 24, waiting: null });
  expect((await decline(waiting.id, first)).statusCode).toBe(404);
});

test('tightening ends a change that waits, which was asked for on other grounds', async () => {
  const waiting = (await put('approver_min_hours', 1)).json().data.waiting;
  expect((await put('approver_min_hours', 72, second)).json().data).toMatchObject({
    value: 72,
    waiting: null,
  });
  expect((await approve(waiting.id, second)).statusCode).toBe(404);
  await approve((await put('approver_min_hours', 24)).json().data.waiting.id, second);
});

test('a change is made against what its author saw', async () => {
  const stale = await as(first)('PUT /api/platform-settings', {
    body: { set: { invoice_due_days: 5 }, version: 7 },
  });
  expect(stale.json()).toMatchObject({ error: 'changed_meanwhile', details: [{ yours: expect.anything() }] });
  const both = await Promise.all(
    [first, second].map((who, index) =>
      as(who)('PUT /api/platform-settings', { body: { set: { invoice_due_days: 5 + index }, version: 0 } }),
    ),
  );
  expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
});

test.each([
  ['approval_above_usdt', '1e9'],
  ['approval_above_usdt', '-1'],
  ['payout_max_per_day', 0],
  ['platform_weights', { hexmount: 0, sixk: 0 }],
  ['commission_rate', '1.5'],
  ['egress_addresses', ['example.com']],
  ['vip_tiers', []],
  [
    'vip_tiers',
    [
      { name: 'A', min_aum: '20' },
      { name: 'B', min_aum: '10' },
    ],
  ],
  ['no_such_setting', 1],
])('%s refuses %j', async (name, value) => {
  const answer = await as(first)('PUT /api/platform-settings', {
    body: { set: { [name]: value }, version: 0 },
  });
  expect(answer.statusCode).toBe(400);
});

test('one setting at a time', async () => {
  const set = { invoice_due_days: 9, approver_min_hours: 48 };
  expect((await as(first)('PUT /api/platform-settings', { body: { set, version: 0 } })).statusCode).toBe(400);
  expect((await as(first)('PUT /api/platform-settings', { body: { set: {}, version: 0 } })).statusCode).toBe(
    400,
  );
});

test('the approval limit holds from the next order on', async () => {
  const [owing] = await asOwner<{ community_id: string }>(
    product.ownerUrl,
    `SELECT community_id FROM payable WHERE payout_id IS NULL AND settled_at IS NULL GROUP BY 1 LIMIT 1`,
  );
  const above = async () =>
    (
      await as(first)('GET /api/super-admin/communities/{id}/pending-distributions', {
        params: { id: owing?.community_id ?? '' },
      })
    ).json().approvalAbove;
  expect(await above()).toBeNull();
  expect((await put('approval_above_usdt', '0.5')).json().data).toMatchObject({ value: '0.5' });
  expect(await above()).toBe('0.5');
  expect((await put('approval_above_usdt', null)).json().data).toMatchObject({
    value: '0.5',
    waiting: { value: null },
  });
  expect(await above()).toBe('0.5');
});

test('levels of traders are those that lists join', async () => {
  const tiers = [
    { name: 'Start', min_aum: '5' },
    { name: 'Summit', min_aum: '500000.5' },
  ];
  expect((await put('vip_tiers', tiers)).statusCode).toBe(200);
  const rows = await asOwner(
    product.ownerUrl,
    'SELECT level, name, trim_scale(min_aum)::text AS min_aum FROM vip_tier ORDER BY level',
  );
  expect(rows).toEqual(tiers.map((tier, index) => ({ level: index + 1, ...tier })));
});

test('a new community has the commission of the platform', async () => {
  await put('commission_rate', '0.35');
  const [provider] = await asOwner<{ id: string }>(
    product.ownerUrl,
    'SELECT id FROM provider WHERE is_active LIMIT 1',
  );
  const created = await as(first)('POST /api/communities', {
    body: { name: 'By default', provider_ids: [provider?.id] },
  });
  expect(created.statusCode, created.body).toBe(201);
  const [made] = await asOwner<{ rate: string }>(
    product.ownerUrl,
    `SELECT trim_scale(commission_rate)::text AS rate FROM community WHERE name = 'By default'`,
  );
  expect(made?.rate).toBe('0.35');
});

test('an address of the platform is held, and another super admin releases it', async () => {
  const recipients = async (who: string) =>
    (await as(who)('GET /api/platform-settings/recipients')).json().data as Record<string, unknown>[];
  const address = '0x00000000000000000000000000000000000000A1';
  await asOwner(product.ownerUrl, 'DELETE FROM payout_address_change');
  await put('payout_address_hold_hours', 24);
  const change = async (address: string | null) =>
    as(first)('PUT /api/platform-settings/recipients/{type}', {
      params: { type: 'tip' },
      body: { address, version: tip(await recipients(first))?.version },
    });
  const tip = (list: Record<string, unknown>[]) => list.find((each) => each.recipient_type === 'tip');
  expect((await change('0x12')).statusCode).toBe(400);
  expect((await change('0x0000000000000000000000000000000000000000')).statusCode).toBe(400);
  expect((await change(address)).statusCode).toBe(200);
  expect(tip(await recipients(first))).toMatchObject({ address, can_release: false });
  const held = tip(await recipients(second));
  expect(held).toMatchObject({ payable_from: expect.any(String), can_release: true });
  await as(second)('POST /api/super-admin/payout-addresses/{id}/release', {
    params: { id: String(held?.change_id) },
  });
  expect(tip(await recipients(first))).toMatchObject({ awaits_release: false, change_id: null });
});

test('staff read the addresses that keys have to allow', async () => {
  const { waiting } = (await put('egress_addresses', ['203.0.113.7'])).json().data;
  await approve(waiting.id, second);
  const answer = await as(await product.signIn('staff'))('GET /api/platform-settings/egress-addresses');
  expect(answer.json().data).toEqual(['203.0.113.7']);
});

test('staff neither see nor change settings, and what they write is refused by the database as well', async () => {
  const staff = await product.signIn('staff');
  for (const call of ['GET /api/platform-settings', 'GET /api/platform-settings/recipients'])
    expect((await as(staff)(call)).json().error).toBe('super_admin_required');
  expect((await put('invoice_due_days', 30, first)).statusCode).toBe(200);
  const refused = await as(staff)('PUT /api/platform-settings', {
    body: { set: { invoice_due_days: 90 }, version: 1 },
  });
  expect(refused.json().error).toBe('super_admin_required');
});

test('the audit has who asked, who approved, and both values', async () => {
  const entries = await asOwner<{ action: string; before: unknown; after: unknown }>(
    product.ownerUrl,
    `SELECT action, before, after FROM audit_entry WHERE target_id = 'payout_address_hold_hours' ORDER BY seq LIMIT 3`,
  );
  expect(entries).toEqual([
    { action: 'setting.changed', before: { value: 24 }, after: { value: 48 } },
    { action: 'setting.requested', before: { value: 48 }, after: { value: 0 } },
    { action: 'setting.approved', before: { value: 48 }, after: { value: 0 } },
  ]);
});

test('the age of approvers cannot be raised until no approver is left', async () => {
  const setSince = (since: string) =>
    asOwner(
      product.ownerUrl,
      `UPDATE identity.user_access SET super_since = now() - $1::interval
       WHERE user_id = (SELECT id FROM identity."user" WHERE email = 'super-2@demo.example')`,
      [since],
    );
  await setSince('2 days');
  expect((await put('approver_min_hours', 72)).json().error).toBe('approvers_missing');
  expect((await put('approver_min_hours', 169)).statusCode).toBe(400);
  expect((await put('approver_min_hours', 36)).json().data).toMatchObject({ value: 36 });
  await setSince('30 days');
});

test('what a disabled super admin asked for cannot be approved', async () => {
  const { id } = (await put('payout_address_hold_hours', 96)).json().data.waiting;
  const setDisabled = (at: string | null) =>
    asOwner(
      product.ownerUrl,
      `UPDATE identity.user_access SET disabled_at = $1::timestamptz
       WHERE user_id = (SELECT id FROM identity."user" WHERE email = 'super@demo.example')`,
      [at],
    );
  await setDisabled(new Date().toISOString());
  expect((await approve(id, second)).json()).toMatchObject({ error: 'requester_inactive' });
  expect((await decline(id, second)).statusCode).toBe(200);
  await setDisabled(null);
});

test.each([
  [[{ name: 'Dust', min_aum: '0.000000001' }]],
  [
    [
      { name: 'Same', min_aum: '1' },
      { name: 'SAME', min_aum: '2' },
    ],
  ],
])('levels that the database would refuse, or of one name, are refused: %j', async (tiers) => {
  expect((await put('vip_tiers', tiers, second)).statusCode).toBe(400);
});

test('a value beyond the bound of the worker is refused, with the bound', async () => {
  const publish = (bounds: Record<string, unknown>) =>
    product.db.write({ kind: 'all' }, { kind: 'system', id: 'test', name: 'Test' }, (tx) =>
      saveDefaults(tx, bounds as never, new Date()),
    );
  const none = { approval_above_usdt: null, payout_max_per_transaction: null, payout_max_per_day: null };
  // No worker has said anything: any value is taken, and waits as loosened limits do.
  expect((await settingOf('payout_max_per_transaction')).bound).toBeNull();
  expect((await put('payout_max_per_transaction', 9_000)).statusCode).toBe(200);
  await publish({
    ...none,
    approval_above_usdt: '2000.5',
    payout_max_per_transaction: 5_000,
    payout_max_per_day: 80_000,
  });
  expect((await settingOf('payout_max_per_transaction')).bound).toBe(5_000);
  // Of two bounds the tighter one holds: this process was given 5,000 for a day.
  expect((await settingOf('payout_max_per_day')).bound).toBe(5_000);
  expect((await settingOf('invoice_due_days')).bound).toBeNull();
  const refused = await put('payout_max_per_transaction', 5_001);
  expect([refused.statusCode, refused.json().error]).toEqual([409, 'setting_above_bound']);
  expect(refused.json().message).toContain('At most 5,000 USDT');
  expect((await put('payout_max_per_day', 5_001)).json().error).toBe('setting_above_bound');
  expect((await put('approval_above_usdt', '2000.51')).json().message).toContain('At most 2,000.5 USDT');
  for (const value of [5_000, 4_999])
    expect([value, (await put('payout_max_per_transaction', value)).statusCode]).toEqual([value, 200]);

  // A change that waited while the worker's bound was tightened is not applied.
  await publish(none);
  const { data } = (await put('payout_max_per_transaction', 6_000)).json();
  expect(data.waiting).toMatchObject({ value: 6_000 });
  await publish({ ...none, payout_max_per_transaction: 5_500 });
  expect((await approve(data.waiting.id, second)).json().error).toBe('setting_above_bound');
  await decline(data.waiting.id, first);
  // Null is the loosest value.
  expect((await put('payout_max_per_transaction', null)).json().error).toBe('setting_above_bound');
  await expect(
    product.apiDb.write({ kind: 'all' }, { kind: 'system', id: 'test', name: 'Test' }, (tx) =>
      saveDefaults(tx, none as never, new Date()),
    ),
  ).rejects.toThrow(/permission denied/);
});
