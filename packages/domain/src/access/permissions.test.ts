import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type AccessRefusal,
  decideAccess,
  type Flags,
  flagsAt,
  hasProviderAccess,
  PERMISSIONS,
  scopeContains,
  scopeOf,
} from './permissions.ts';
import { CAPABILITIES, STAFF_ROLE_NAMES } from './staff-roles.ts';

const none: Flags = { admin: false, super: false, providerAccess: [] };
const people = {
  'signed in only': none,
  'signed in, with a provider left over': { ...none, providerAccess: ['p1'] },
  'super without the admin flag': { ...none, super: true },
  'admin without providers': { ...none, admin: true },
  'staff of a provider': { admin: true, super: false, providerAccess: ['p1'] },
  'super admin': { admin: true, super: true, providerAccess: [] },
  'super admin with providers': { admin: true, super: true, providerAccess: ['p1'] },
} satisfies Record<string, Flags>;

type Row = [who: keyof typeof people, admin: Verdict, staff: Verdict, superOnly: Verdict];
type Verdict = AccessRefusal | null;

const rows: Row[] = [
  ['signed in only', 'not_admin', 'not_admin', 'not_admin'],
  ['signed in, with a provider left over', 'not_admin', 'not_admin', 'not_admin'],
  ['super without the admin flag', 'not_admin', 'not_admin', 'not_admin'],
  ['admin without providers', null, 'no_provider_access', 'super_admin_required'],
  ['staff of a provider', null, null, 'super_admin_required'],
  ['super admin', null, null, null],
  ['super admin with providers', null, null, null],
];

describe('the calls of a caller', () => {
  test.each(rows)('%s', (who, admin, staff, superOnly) => {
    const flags = people[who];
    expect({
      public: decideAccess('public', flags),
      'signed-in': decideAccess('signed-in', flags),
      admin: decideAccess('admin', flags),
      staff: decideAccess('staff', flags),
      super: decideAccess('super', flags),
    }).toEqual({ public: null, 'signed-in': null, admin, staff, super: superOnly });
  });
});

test('access is a provider of one’s own, or being super admin', () => {
  expect(hasProviderAccess(people['admin without providers'])).toBe(false);
  expect(hasProviderAccess(people['staff of a provider'])).toBe(true);
  expect(hasProviderAccess(people['super admin'])).toBe(true);
});

test('a super admin sees every row, even with providers on record', () => {
  expect(scopeOf(people['super admin with providers'])).toEqual({ kind: 'all' });
});

test('staff see the rows of their providers, always in the same order', () => {
  const providerAccess = ['c', 'a', 'b'];
  expect(scopeOf({ ...none, admin: true, providerAccess })).toEqual({
    kind: 'providers',
    providerIds: ['a', 'b', 'c'],
  });
  expect(providerAccess).toEqual(['c', 'a', 'b']);
});

test('staff without providers see nothing, and not everything', () => {
  expect(scopeOf(people['admin without providers'])).toEqual({ kind: 'providers', providerIds: [] });
});

test('the rights at one provider are never more than those at all', () => {
  const id = fc.constantFrom<string[]>('a', 'b', 'c', 'd');
  const flags = fc.record({
    admin: fc.boolean(),
    super: fc.boolean(),
    providerAccess: fc.uniqueArray(id),
    staffRoles: fc.dictionary(id, fc.constantFrom(...STAFF_ROLE_NAMES)),
  });
  fc.assert(
    fc.property(flags, fc.oneof(id, fc.constantFrom('__proto__', '')), (all, chosen) => {
      const one = flagsAt(all, chosen);
      if (all.super || !all.providerAccess.includes(chosen)) return one === null;
      if (one === null || one.super || one.admin !== all.admin) return false;
      return CAPABILITIES.every((capability) => {
        const [wide, narrow] = [scopeOf(all, capability), scopeOf(one, capability)];
        if (wide.kind === 'all' || narrow.kind === 'all') return false;
        // Exactly what the person has at this provider, and nothing elsewhere.
        const expected = wide.providerIds.filter((providerId) => providerId === chosen);
        const isAllowed = (of: Flags) =>
          PERMISSIONS.map((permission) => decideAccess(permission, of, capability) === null);
        return (
          JSON.stringify(narrow.providerIds) === JSON.stringify(expected) &&
          isAllowed(one).every((allowed, index) => !allowed || isAllowed(all)[index])
        );
      });
    }),
  );
});

test('a scope is in another one when each of its providers is', () => {
  const of = (...providerIds: string[]) => ({ kind: 'providers', providerIds }) as const;
  const all = { kind: 'all' } as const;
  expect(scopeContains(all, all)).toBe(true);
  expect(scopeContains(all, of('a'))).toBe(true);
  expect(scopeContains(of('a', 'b'), of('b'))).toBe(true);
  expect(scopeContains(of('a', 'b'), of())).toBe(true);
  expect(scopeContains(of('a'), of('a', 'b'))).toBe(false);
  // Whoever was a super admin saw more than all providers of today.
  expect(scopeContains(of('a', 'b'), all)).toBe(false);
});
