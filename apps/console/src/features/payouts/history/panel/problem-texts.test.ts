import { expect, test } from 'vitest';
import { alsoPaidWords, cancelledWords, remedyWords, retriedWords } from './problem-texts.ts';

test('the message afterwards describes the outcome', () => {
  expect(cancelledWords('failed')).toContain('it is cancelled');
  expect(cancelledWords('distributing')).toContain('unless it is already on chain');
  expect(retriedWords('pending')).toBe('Not sent yet.');
});

test('a failed payout names the remedy and who can apply it', () => {
  const payout = {
    problem: 'reverted',
    can_retry: true,
    can_resend: true,
    can_cancel: false,
    current_address: null,
  };
  expect(remedyWords(payout, true)).toBe('You can retry it at the same address.');
  expect(remedyWords({ ...payout, current_address: '0x1' }, true)).toBe(
    'You can retry it at the same address, or send it to the new address.',
  );
  expect(remedyWords({ ...payout, can_retry: false }, true)).toBe('You can order it again.');
  expect(remedyWords({ ...payout, can_retry: false, can_resend: false }, true)).toContain(
    'until it is certain',
  );
  expect(remedyWords(payout, false)).toBe('A super admin can pay it again.');
  expect(remedyWords({ ...payout, problem: 'declined' }, true)).toBe('');
});

test('a retry names the payouts that it takes along', () => {
  const other = (id: string) => ({
    id,
    recipient_address: '0x00000000000000000000000000000000000000aa',
    recipient_type: 'mark' as const,
    amount: '12.5',
  });
  expect(alsoPaidWords([])).toBe('');
  expect(alsoPaidWords([other('1')])).toBe(
    ' 1 more payout failed because of the same deposits and is paid with it: 12.50 USDT to 0x0000…00aa.',
  );
  const many = Array.from({ length: 1_007 }, (_, index) => other(String(index)));
  expect(alsoPaidWords(many)).toMatch(/^ 1,007 more payouts failed .* and 1,002 more\.$/);
});
