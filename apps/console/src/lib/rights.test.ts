import { expect, test } from 'vitest';
import { can } from './rights.ts';

test('a capability at one provider is enough to offer an act', () => {
  const rights = { super: false, providers: [{ role: 'viewer' as const }, { role: 'finance' as const }] };
  expect(can(rights, 'data:export')).toBe(true);
  expect(can(rights, 'traders:write')).toBe(false);
});

test('super admins need no role, and people without a provider have no capability', () => {
  expect(can({ super: true, providers: [] }, 'people:read')).toBe(true);
  expect(can({ super: false, providers: [] }, 'directory:read')).toBe(false);
});
