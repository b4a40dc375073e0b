import { expect, test } from 'vitest';
import { ApiError, networkError } from './api-error.ts';
import { retryDelay, retryUnless } from './read-retry.ts';

const answered = (status: number) => new ApiError({ code: 'x', status, message: 'x' });

test('tries again as often as it may, but not after a final answer', () => {
  const retry = retryUnless((status) => [401, 404].includes(status), 2);
  expect([0, 1, 2].map((failures) => retry(failures, answered(503)))).toEqual([true, true, false]);
  expect(retry(0, answered(404))).toBe(false);
  expect(retry(0, answered(403))).toBe(true);
  expect(retry(1, networkError())).toBe(true);
  expect(retry(1, new Error('anything'))).toBe(true);
});

test('waits twice as long each time, and no longer than 30 seconds', () => {
  expect([0, 1, 2, 4, 5, 30].map(retryDelay)).toEqual([1_000, 2_000, 4_000, 16_000, 30_000, 30_000]);
});
