import { expect, test } from 'vitest';
import { cancelledWords, remedyWords, retriedWords } from './problem-words.ts';

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
