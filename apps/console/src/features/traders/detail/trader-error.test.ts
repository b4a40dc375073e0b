import { expect, test } from 'vitest';
import { ApiError, networkError } from '../../../lib/api/api-error.ts';
import { traderProblem } from './trader-error.tsx';

const answered = (status: number, message: string) => new ApiError({ code: 'x', status, message });

test.each([
  [answered(404, 'Not found'), 'not-found'],
  [new Error('Trader not found'), 'not-found'],
  [answered(401, 'Authentication failed'), 'denied'],
  [answered(403, 'Access denied'), 'denied'],
  [new Error('The token has expired'), 'denied'],
  [networkError(), 'connection'],
  [new Error('Failed to fetch'), 'connection'],
  [answered(500, 'Something went wrong on our side'), 'other'],
])('%s is shown as %s', (error, kind) => {
  expect(traderProblem(error).kind).toBe(kind);
});

test('any other error shows its message', () => {
  expect(traderProblem(answered(503, 'Too busy'))).toMatchObject({
    title: 'Something went wrong',
    text: 'Too busy',
  });
});
