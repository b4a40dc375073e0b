import { expect, test, vi } from 'vitest';

vi.stubEnv('TZ', 'America/New_York');
const { fullTime, readTime } = await import('./read-time.ts');
const now = new Date('2026-11-21T12:00:00Z');

test.each([
  ['2026-11-21T11:59:05.123Z', '06:59:05'],
  ['2026-11-21T04:30:00Z', 'Nov 20, 23:30'],
  ['2025-12-31T17:00:00Z', 'Dec 31, 2025, 12:00'],
])('%s was read at %s, by the clock on the wall', (iso, text) => {
  expect(readTime(iso, now)).toBe(text);
});

test('the full form has date and seconds', () => {
  expect(fullTime('2026-11-21T11:59:05Z')).toBe('Nov 21, 2026, 06:59:05');
});
