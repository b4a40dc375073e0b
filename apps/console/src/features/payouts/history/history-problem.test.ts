import { expect, test } from 'vitest';
import { ApiError, networkError, timeoutError } from '../../../lib/api/api-error.ts';
import { payoutsProblem } from './history-problem.ts';

const failed = (status: number, message: string, code = 'x') => new ApiError({ code, status, message });

test.each([
  [failed(401, 'The token has expired'), 'Authentication Error'],
  [failed(403, 'No'), 'Authentication Error'],
  [new Error('Request failed with status code 403'), 'Authentication Error'],
  [new Error('Not authenticated'), 'Authentication Error'],
  [failed(404, 'Nothing'), 'Connection Error'],
  [networkError(), 'Connection Error'],
  [new Error('timeout of 10000ms exceeded'), 'Connection Error'],
  [failed(503, 'This took too long', 'query_timeout'), 'Connection Error'],
  [failed(500, 'Something went wrong on our side'), 'Error loading sweep operations'],
])('%s: %s', (error, title) => {
  expect(payoutsProblem(error).title).toBe(title);
});

test('any other error shows its own text', () => {
  expect(payoutsProblem(failed(500, 'Something went wrong on our side')).message).toBe(
    'Something went wrong on our side',
  );
});

test('a server that does not answer in time is a connection error', () => {
  expect(payoutsProblem(timeoutError()).title).toBe('Connection Error');
});
