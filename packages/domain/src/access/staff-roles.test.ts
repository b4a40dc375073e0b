import { expect, test } from 'vitest';
import { decideAccess, type Flags, isNarrowed, scopeOf, staffRoleAt } from './permissions.ts';
import { CAPABILITIES, roleHas, STAFF_ROLE_NAMES, STAFF_ROLES } from './staff-roles.ts';

const person: Flags = {
  admin: true,
  super: false,
  providerAccess: ['b', 'a', 'c'],
  staffRoles: { a: 'viewer', b: 'finance' },
};

test('every role reads, and no role has a capability that is not listed', () => {
  for (const role of STAFF_ROLE_NAMES) {
    for (const capability of ['directory:read', 'traders:read', 'invoices:read'] as const)
      expect(roleHas(role, capability), role).toBe(true);
    for (const capability of STAFF_ROLES[role]) expect(CAPABILITIES).toContain(capability);
  }
});

test('staff without another role have all but the list of people, owners have all', () => {
  expect(CAPABILITIES.filter((capability) => !roleHas('staff', capability))).toEqual(['people:read']);
  expect(CAPABILITIES.filter((capability) => !roleHas('owner', capability))).toEqual([]);
});

test('without access to a provider no capability is left', () => {
  expect(roleHas(null, 'directory:read')).toBe(false);
});

test('a call without a capability leaves every provider in scope', () => {
  expect(isNarrowed(person)).toBe(false);
  expect(isNarrowed(person, 'data:export')).toBe(true);
});

test('a person without roles is staff at each provider', () => {
  const { staffRoles: _, ...plain } = person;
  expect(staffRoleAt(plain, 'a')).toBe('staff');
});

test('a role belongs to its provider, and is the default one elsewhere', () => {
  expect(staffRoleAt(person, 'a')).toBe('viewer');
  expect(staffRoleAt(person, 'c')).toBe('staff');
  expect(staffRoleAt({ ...person, staffRoles: { d: 'owner' } }, 'd')).toBeNull();
});

test('a call reaches the providers whose role has its capability', () => {
  expect(scopeOf(person, 'traders:read')).toEqual(scopeOf(person));
  expect(scopeOf(person, 'data:export')).toEqual({ kind: 'providers', providerIds: ['b', 'c'] });
  expect(scopeOf(person, 'traders:write')).toEqual({ kind: 'providers', providerIds: ['c'] });
  expect(isNarrowed(person, 'traders:read')).toBe(false);
  expect(isNarrowed(person, 'traders:write')).toBe(true);
});

test('a role left over from an access that ended gives nothing', () => {
  const left: Flags = { ...person, providerAccess: ['a'], staffRoles: { a: 'viewer', b: 'owner' } };
  expect(scopeOf(left, 'people:read')).toEqual({ kind: 'providers', providerIds: [] });
  expect(decideAccess('staff', left, 'people:read')).toBe('role_required');
});

test('a call is refused when no role has its capability', () => {
  expect(decideAccess('staff', person, 'secrets:reveal')).toBeNull();
  expect(decideAccess('staff', person, 'people:read')).toBe('role_required');
  expect(decideAccess('staff', { ...person, providerAccess: [] }, 'people:read')).toBe('no_provider_access');
  expect(decideAccess('super', person, 'people:read')).toBe('super_admin_required');
});

test('super admins need no role', () => {
  const boss: Flags = { admin: true, super: true, providerAccess: ['a'], staffRoles: { a: 'viewer' } };
  expect(decideAccess('staff', boss, 'people:read')).toBeNull();
  expect(scopeOf(boss, 'traders:write')).toEqual({ kind: 'all' });
  expect(isNarrowed(boss, 'traders:write')).toBe(false);
});
