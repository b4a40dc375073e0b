import { expect, test } from 'vitest';
import { rightsOf } from './rights-panel.tsx';

const names = new Map([
  ['a', 'Aurora'],
  ['b', 'Borealis'],
  ['c', 'Corona'],
]);
const staff = {
  super: false,
  admin: true,
  disabled: false,
  provider_access: ['b', 'a', 'c'],
  staff_roles: { a: 'viewer' as const },
};
const grants = (person: Parameters<typeof rightsOf>[0], wanted: string) =>
  rightsOf(person, names).find(({ capability }) => capability === wanted)?.grants;

test('a right names the roles that include it, and their providers', () => {
  expect(grants(staff, 'traders:read')).toEqual(['Staff of Borealis, Corona', 'Viewer of Aurora']);
  expect(grants(staff, 'data:export')).toEqual(['Staff of Borealis, Corona']);
  expect(grants(staff, 'people:read')).toEqual([]);
});

test('one role at every provider is named once, not by all of its providers', () => {
  const everywhere = { ...staff, staff_roles: {} };
  expect(grants(everywhere, 'traders:read')).toEqual(['Staff of all 3']);
  expect(grants({ ...everywhere, provider_access: ['a'] }, 'traders:read')).toEqual(['Staff of Aurora']);
});

test('super admins have every right by their flag alone', () => {
  for (const right of rightsOf({ ...staff, super: true }, names))
    expect(right.grants).toEqual(['Super admin']);
});

test('a disabled account, and one without the admin flag, have none', () => {
  for (const person of [
    { ...staff, disabled: true },
    { ...staff, admin: false },
  ])
    for (const right of rightsOf(person, names)) expect(right.grants).toEqual([]);
});
