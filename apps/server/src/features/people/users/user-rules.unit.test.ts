import { expect, test } from 'vitest';
import { planFlags, planUserChange, type UserState } from './user-rules.ts';

const staff = { admin: true, super: false, providerAccess: ['b', 'a'] };
const boss: UserState = {
  flags: { admin: true, super: true, providerAccess: [] },
  disabled: false,
  active: true,
};

test('omitted flags stay unchanged, and providers are a sorted set', () => {
  expect(planFlags(staff, {})).toEqual({
    admin: true,
    super: false,
    providerAccess: ['a', 'b'],
    staffRoles: {},
  });
  expect(planFlags(staff, { providerAccess: ['c', 'c'] })?.providerAccess).toEqual(['c']);
});

test('a role goes with the access to its provider, and the default one is not stored', () => {
  const changed = planFlags(staff, { staffRoles: { a: 'viewer', b: 'staff', c: 'owner' } });
  expect(changed?.staffRoles).toEqual({ a: 'viewer' });
  expect(planFlags(changed ?? staff, { providerAccess: ['a', 'c'] })?.staffRoles).toEqual({ a: 'viewer' });
  expect(planFlags(changed ?? staff, { providerAccess: ['b'] })?.staffRoles).toEqual({});
});

test('super includes admin, and removing admin removes super', () => {
  expect(planFlags({ ...staff, admin: false }, { super: true })).toMatchObject({ admin: true, super: true });
  expect(planFlags(boss.flags, { admin: false })).toMatchObject({ admin: false, super: false });
  expect(planFlags(staff, { super: true, admin: false })).toBeNull();
});

test('the last active super admin must remain', () => {
  expect(planUserChange(boss, { disabled: true }, 0)).toEqual({ ok: false, code: 'last_super_admin' });
  expect(planUserChange(boss, { super: false }, 1)).toMatchObject({ ok: true });
  expect(planUserChange(boss, { providerAccess: ['a'] }, 0)).toMatchObject({ ok: true });
  expect(planUserChange({ ...boss, active: false }, { super: false }, 0)).toMatchObject({ ok: true });
});
