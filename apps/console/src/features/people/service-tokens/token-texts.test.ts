import { expect, test } from 'vitest';
import { stateOf } from './token-texts.ts';

const NOW = new Date('2026-03-01T00:00:00Z');

test.each([
  [null, '2026-04-01T00:00:00Z', 'Valid'],
  [null, '2026-03-07T23:59:59Z', 'Expires soon'],
  [null, '2026-03-01T00:00:00Z', 'Expired'],
  ['2026-02-01T00:00:00Z', '2026-04-01T00:00:00Z', 'Revoked'],
])('revoked %s, expiring %s', (revoked_at, expires_at, label) => {
  expect(stateOf({ revoked_at, expires_at }, NOW).label).toBe(label);
});
