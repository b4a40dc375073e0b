import { expect, test } from 'vitest';
import { refreshOutcome } from './refresh-outcome.ts';

const refresh = { requested_at: null, aum: null, aum_read_at: null };

test.each([
  ['idle', 0, 0, undefined],
  ['running', 3, 1, undefined],
  ['done', 3, 0, 'AUM refreshed successfully!'],
  ['done', 0, 0, 'AUM refreshed successfully!'],
  ['done', 3, 1, 'AUM refreshed in part: 1 of 3 accounts could not be read, its last known balance counts.'],
  ['done', 2, 2, 'Failed to refresh AUM. Please try again.'],
  ['failed', 2, 0, 'Failed to refresh AUM. Please try again.'],
] as const)('a refresh that is %s with %i accounts of which %i failed: %s', (state, total, failed, text) => {
  expect(refreshOutcome({ ...refresh, state, total, failed, done: total })?.text).toBe(text);
});
