import { expect, test } from 'vitest';
import { cancelledWords, retriedWords } from './problem-words.ts';

test('afterwards it is said what happened', () => {
  expect(cancelledWords('failed')).toContain('is taken back');
  expect(cancelledWords('distributing')).toContain('if the chain has not');
  expect(retriedWords('pending')).toBe('Not sent yet.');
});
