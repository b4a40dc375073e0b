import { expect, test } from 'vitest';
import { memberName, shareWords } from './pool-texts.ts';

test.each([
  ['100', '100.00%'],
  ['12.345678', '12.34%'],
  // Never 100% for a part.
  ['99.999', '99.99%'],
  ['0.001', '0.00%'],
])('a share of %s is shown as %s', (share, text) => {
  expect(shareWords(share)).toBe(text);
});

test('a member is named by its reference number, else by its Telegram name', () => {
  const trader = { id: 'a', reference_number: 'KAIT-1', telegram_username: 'ada' };
  expect(memberName(trader)).toBe('KAIT-1');
  expect(memberName({ ...trader, reference_number: null })).toBe('@ada');
  expect(memberName({ ...trader, reference_number: null, telegram_username: null })).toBe(
    'No reference number',
  );
});
