import { expect, test } from 'vitest';
import { ApiError, errorFromResponse } from '../../lib/api/api-error.ts';
import { distributedWords, distributeProblem, recipientsWord } from './payout-texts.ts';

test("the toast of a distribution uses the spec's words", () => {
  expect(distributedWords(3)).toBe('Funds distributed successfully to 3 recipients');
  expect(distributedWords(null)).toBe('Funds distributed successfully to all recipients');
});

test('a failure shows the server’s text, else ours', async () => {
  const refusal = new ApiError({
    code: 'wallet_not_ready',
    status: 409,
    message: 'The wallet is not set up yet',
  });
  expect(distributeProblem(refusal)).toBe('The wallet is not set up yet');
  expect(distributeProblem(new Error('Distribution failed'))).toBe('Distribution failed');
  const wordless = await errorFromResponse(new Response('', { status: 502 }));
  expect(distributeProblem(wordless)).toBe('Failed to distribute funds');
  expect(distributeProblem(undefined)).toBe('Failed to distribute funds');
});

test('numbers in words', () => {
  expect(recipientsWord(1)).toBe('1 recipient');
  expect(recipientsWord(1200)).toBe('1,200 recipients');
});
