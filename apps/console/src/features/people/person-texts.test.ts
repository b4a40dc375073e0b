import { expect, test } from 'vitest';
import { providersText, roleOf, stateOf } from './person-texts.ts';

const names = new Map([
  ['a', 'Aurora'],
  ['b', 'Basalt'],
  ['c', 'Cobalt'],
]);
const flags = (changes: object) => ({
  super: false,
  admin: true,
  provider_access: [] as string[],
  staff_roles: {},
  ...changes,
});

test.each([
  [{ super: true }, 'Super admin', 'All'],
  [{}, 'No provider', 'None'],
  [{ admin: false }, 'Not an admin', 'None'],
  [{ provider_access: ['b', 'a'] }, 'Staff', 'Aurora, Basalt'],
  [{ provider_access: ['c', 'b', 'a'] }, 'Staff', 'Aurora, Basalt and 1 more'],
  [{ provider_access: ['a', 'b'], staff_roles: { a: 'viewer', b: 'viewer' } }, 'Viewer', 'Aurora, Basalt'],
  [
    { provider_access: ['a', 'b'], staff_roles: { a: 'owner', b: 'viewer' } },
    'Several roles',
    'Aurora, Basalt',
  ],
  // The default is not stored.
  [{ provider_access: ['a', 'b'], staff_roles: { a: 'owner' } }, 'Several roles', 'Aurora, Basalt'],
  [{ provider_access: ['gone'] }, 'Staff', 'Unknown'],
])('%j', (changes, role, providers) => {
  expect(roleOf(flags(changes)).label).toBe(role);
  expect(providersText(flags(changes), names)).toBe(providers);
});

test.each([
  [{}, []],
  [{ active: false }, ['Invited']],
  [{ super: true, confirmed: false }, ['Unconfirmed']],
  [{ super: true, confirmed: false, active: false }, ['Invited', 'Unconfirmed']],
  [{ disabled: true, active: false }, ['Disabled']],
])('the state of %j', (changes, labels) => {
  const person = { disabled: false, active: true, confirmed: true, super: false, ...changes };
  expect(stateOf(person).map(({ label }) => label)).toEqual(labels);
});
