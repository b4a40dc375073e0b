import { expect, test } from 'vitest';
import { accessChanges } from './access-dialog.tsx';
import type { Access } from './access-fields.tsx';

const staff = { role: 'staff', provider_access: ['a', 'b'], staff_roles: { b: 'viewer' } } satisfies Access;
const boss = { role: 'super', provider_access: ['a'], staff_roles: {} } satisfies Access;

test.each([[staff], [boss], [{ ...staff, role: 'not_admin' } satisfies Access]])(
  'nothing changed sends nothing',
  (access: Access) => expect(accessChanges(access, { ...access })).toEqual({}),
);

test('only added and removed providers and changed roles are sent', () => {
  expect(accessChanges(staff, { ...staff, provider_access: ['b', 'c'] })).toEqual({
    provider_access: { added: ['c'], removed: ['a'] },
  });
  const changed: Access = {
    role: 'staff',
    provider_access: ['a', 'b', 'c'],
    staff_roles: { b: 'staff', c: 'owner' },
  };
  expect(accessChanges(staff, changed)).toEqual({
    provider_access: { added: ['c'], removed: [] },
    staff_roles: { b: 'staff', c: 'owner' },
  });
});

test('another kind of account gives up its providers', () => {
  expect(accessChanges(staff, { ...staff, role: 'super' })).toEqual({
    super: true,
    provider_access: { added: [], removed: ['a', 'b'] },
  });
  expect(accessChanges(boss, { ...boss, role: 'staff' })).toEqual({ super: false });
  expect(accessChanges(boss, { ...boss, role: 'not_admin' })).toEqual({
    admin: false,
    super: false,
    provider_access: { added: [], removed: ['a'] },
  });
});
