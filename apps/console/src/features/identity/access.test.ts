import { expect, test } from 'vitest';
import { accessBadge, hasAccess } from './access.ts';

const provider = (name: string) => ({ id: name, name, role: 'staff' as const });

test.each([
  [{ super: true, providers: [] }, true, 'Super Admin'],
  [{ super: false, providers: [provider('Hexline')] }, true, 'Hexline'],
  [{ super: false, providers: [provider('A'), provider('B')] }, true, '2 Providers'],
  [{ super: false, providers: [] }, false, null],
])('%j: access %s, badge %s', (user, access, badge) => {
  expect(hasAccess(user)).toBe(access);
  expect(accessBadge(user)).toBe(badge);
});
