import { expect, test } from 'vitest';
import { askedAbout } from './use-opened-cycle.ts';

const opened = { id: 'a', version: 3, status: 'harvesting', step: 'open', reason: null } as const;

test('an act goes to the version at hand while the cycle stays where it was', () => {
  expect(askedAbout(opened, { ...opened, version: 5 } as never)).toMatchObject({ version: 5 });
});

test.each([
  ['its step', { step: 'closing' }],
  ['its status', { status: 'failed' }],
  ['the reason of its failure', { reason: 'deadline_passed' }],
  ['to another cycle', { id: 'b' }],
])('once it has moved on (%s), to the version that was seen', (_, change) => {
  expect(askedAbout(opened, { ...opened, version: 5, ...change } as never)).toBe(opened);
});
