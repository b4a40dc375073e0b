import { expect, test, vi } from 'vitest';

vi.stubEnv('TZ', 'America/New_York');
// Another test of this process may have read it in another zone.
vi.resetModules();
const { clockTime, fullTime, minuteWords, momentWords, readTime } = await import('./read-time.ts');
const now = new Date('2026-11-21T02:00:00Z');

test.each([
  ['2026-11-21T01:59:05.123Z', '01:59:05 UTC'],
  // Another day in UTC, the same in New York.
  ['2026-11-20T23:30:00Z', 'Nov 20, 23:30 UTC'],
  ['2025-12-31T23:00:00Z', 'Dec 31, 2025, 23:00 UTC'],
])('%s was read at %s: date and time are of one zone', (iso, text) => {
  expect(readTime(iso, now)).toBe(text);
});

test('every form says its zone', () => {
  expect(clockTime('2026-11-21T00:05:09Z')).toBe('00:05:09 UTC');
  expect(minuteWords('2026-11-21T00:05:09Z')).toBe('00:05 UTC');
  expect(momentWords('2026-11-23T14:05:00Z')).toBe('Nov 23, 14:05 UTC');
});

test('the full form includes the local time', () => {
  expect(fullTime('2026-11-21T11:59:05Z')).toBe('Nov 21, 2026, 11:59:05 UTC (Nov 21, 06:59 EST)');
});
