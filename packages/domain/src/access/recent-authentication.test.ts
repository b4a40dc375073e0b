import { expect, test } from 'vitest';
import { isRecentlyAuthenticated, needsRecentAuth, needsSecondFactor } from './recent-authentication.ts';

const ISSUED = new Date('2026-03-01T12:00:00Z');
const after = (seconds: number) => new Date(ISSUED.getTime() + seconds * 1000);

test.each([
  ['at once', [0, -1], false, 0, true],
  ['after ten minutes to the second', [0, -1], false, 600, true],
  ['after ten minutes and a second', [0, -1], false, 601, false],
  ['with nine minutes before the token', [9, -1], false, 60, true],
  ['with nine minutes before the token, and more', [9, -1], false, 61, false],
  ['by a server whose clock is behind', [10, -1], false, -5, true],
  ['without any first factor', [-1, -1], false, 0, false],
  ['with a second factor that was never asked for', [0, -1], true, 0, false],
  ['with an old second factor and a fresh password', [0, 60], true, 0, false],
  ['with an old password and a fresh second factor', [60, 0], true, 0, true],
  ['with a value that is not a number', [Number.NaN, -1], false, 0, false],
] as const)('%s', (_, fva, hasSecondFactor, seconds, expected) => {
  expect(isRecentlyAuthenticated({ fva, issuedAt: ISSUED, hasSecondFactor }, after(seconds), 10)).toBe(
    expected,
  );
});

test.each([
  [true, undefined, true],
  [false, { address: 'x' }, false],
  [{ whenBodyHas: ['address'] }, { address: null }, true],
  [{ whenBodyHas: ['address'] }, { status: 'active' }, false],
  [{ whenBodyHas: ['constructor'] }, {}, false],
  [{ whenBodyHas: ['address'] }, undefined, false],
] as const)('%j of %j', (declared, body, expected) => {
  expect(needsRecentAuth(declared, body)).toBe(expected);
});

test.each([
  ['a super admin', 'super', true, undefined, true],
  ['staff', 'staff', true, undefined, true],
  ['staff, for some fields', 'staff', { whenBodyHas: ['address'] }, undefined, true],
  ['a call that asks for no authentication', 'super', false, undefined, false],
  ['a call about the own account', 'super', true, true, false],
  ['anyone else', 'signed-in', true, undefined, false],
] as const)('a second factor is needed by %s: %#', (_, permission, recentAuth, before, isNeeded) => {
  const call = { permission, recentAuth, ...(before && { beforeSecondFactor: before }) };
  expect(needsSecondFactor(call as Parameters<typeof needsSecondFactor>[0])).toBe(isNeeded);
});

test('one of the named fields is enough', () => {
  expect(needsRecentAuth({ whenBodyHas: ['a', 'b'] }, { b: 1 })).toBe(true);
  expect(needsRecentAuth({ whenBodyHas: ['a', 'b'] }, null)).toBe(false);
});
