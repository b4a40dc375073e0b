import { expect, test } from 'vitest';
import { displayName, listName } from './trader-name.ts';

test('the telegram username comes first, then the name, then the words of the screen', () => {
  expect(listName({ telegram_username: 'ada', name: 'Ada L.' })).toBe('ada');
  expect(listName({ telegram_username: '', name: 'Ada L.' })).toBe('Ada L.');
  expect(listName({ telegram_username: null, name: null })).toBe('N/A');
  expect(displayName({ telegram_username: null, name: null })).toBe('Unknown Trader');
});
