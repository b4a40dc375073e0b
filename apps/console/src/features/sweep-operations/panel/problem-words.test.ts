import { PAYOUT_PROBLEMS } from '@copydesk/domain';
import { expect, test } from 'vitest';
import { cancelledWords, problemWords, retriedWords } from './problem-words.ts';

test.each(PAYOUT_PROBLEMS)('%s is told in plain words', (problem) => {
  expect(problemWords(problem)).not.toContain('is known as');
  expect(problemWords(problem)).toMatch(/^[A-Z].*\.$/);
});

test('a code that is not known is told as it is', () => {
  expect(problemWords('meteor')).toContain('meteor');
});

test('afterwards it is said what happened', () => {
  expect(cancelledWords('failed')).toContain('is taken back');
  expect(cancelledWords('distributing')).toContain('if the chain has not');
  expect(retriedWords('pending')).toContain('its turn');
});
