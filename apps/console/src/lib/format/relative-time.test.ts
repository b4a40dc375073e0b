import { expect, test } from 'vitest';
import { relativeTime } from './relative-time.ts';

const NOW = new Date('2026-11-21T12:00:00Z');

test.each([
  ['2026-11-21T11:59:30Z', 'just now'],
  ['2026-11-21T11:58:59Z', '1 minute ago'],
  ['2026-11-21T09:00:00Z', '3 hours ago'],
  ['2026-11-20T11:00:00Z', '1 day ago'],
  ['2026-11-10T12:00:00Z', '1 week ago'],
  ['2026-02-01T12:00:00Z', '9 months ago'],
  ['2025-01-01T12:00:00Z', '22 months ago'],
  ['2024-11-01T12:00:00Z', '2 years ago'],
  // A clock that is behind the server's.
  ['2026-11-21T12:00:05Z', 'just now'],
])('%s is %s', (iso, words) => {
  expect(relativeTime(iso, NOW)).toBe(words);
});
