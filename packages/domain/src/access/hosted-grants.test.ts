import { expect, test } from 'vitest';
import { flagsAfterWithdrawal, flagsAtFirstSight, isWithdrawn, readHostedGrants } from './hosted-grants.ts';

const [A, B, C] = ['a', 'b', 'c'].map((letter) => `0000000${letter}-0000-4000-8000-000000000000`) as [
  string,
  string,
  string,
];

test('grants are read from metadata and organisations', () => {
  expect(readHostedGrants({ admin: true, providerAccess: [B, A.toUpperCase(), A] }, [C, A])).toEqual({
    admin: true,
    super: false,
    providerIds: [A, B, C],
  });
  expect(readHostedGrants({ super: true }, [])).toEqual({ admin: true, super: true, providerIds: [] });
});

test.each([
  ['text instead of true', { admin: 'true', super: 1 }],
  ['providers that are no list', { providerAccess: A }],
  ['providers that are no ids', { providerAccess: ['*', 7, null, `${A} `, `x${A}`] }],
  ['a prototype', Object.create({ admin: true, super: true }) as Record<string, unknown>],
])('%s grant nothing', (_what, metadata) => {
  const own = { ...metadata };
  expect(readHostedGrants(own, [undefined, 'all', {}])).toEqual({
    admin: false,
    super: false,
    providerIds: [],
  });
});

const granted = (providerIds: string[], given = {}) => ({ admin: true, super: false, providerIds, ...given });

test('a later grant changes nothing, and neither does metadata that stays', () => {
  const flags = flagsAtFirstSight(granted([A]));
  expect(flagsAfterWithdrawal(flags, granted([A]), granted([A, B], { super: true }))).toEqual(flags);
  const promoted = { ...flags, super: true, providerAccess: [A, C] };
  expect(flagsAfterWithdrawal(promoted, granted([A]), granted([A]))).toEqual(promoted);
});

test('what the service granted and no longer grants is taken away, with the role there', () => {
  const flags = {
    ...flagsAtFirstSight(granted([A, B])),
    staffRoles: { [A]: 'viewer', [B]: 'owner' } as const,
  };
  expect(flagsAfterWithdrawal(flags, granted([A, B]), granted([B]))).toEqual({
    admin: true,
    super: false,
    providerAccess: [B],
    staffRoles: { [B]: 'owner' },
  });
});

test('a super admin ends with super, or with admin', () => {
  const flags = { admin: true, super: true, providerAccess: [] };
  const before = granted([], { super: true });
  expect(flagsAfterWithdrawal(flags, before, granted([]))).toMatchObject({ admin: true, super: false });
  const nothing = { admin: false, super: false, providerIds: [] };
  expect(flagsAfterWithdrawal(flags, before, nothing)).toMatchObject({ admin: false, super: false });
});

test.each([
  ['the same', granted([A]), false],
  ['more', granted([A, B], { super: true }), false],
  ['another provider', granted([B]), true],
  ['without admin', granted([A], { admin: false }), true],
])('withdrawn with %s: %o, %s', (_what, now, expected) => {
  expect(isWithdrawn(granted([A]), now)).toBe(expected);
});

test('one of several providers is withdrawn, and so is super alone', () => {
  expect(isWithdrawn(granted([A, B]), granted([B]))).toBe(true);
  expect(isWithdrawn(granted([], { super: true }), granted([]))).toBe(true);
});
