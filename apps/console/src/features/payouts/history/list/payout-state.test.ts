import { PAYOUT_PROBLEMS } from '@copydesk/domain/payouts';
import { expect, test } from 'vitest';
import { failedBriefly } from './payout-state.tsx';

test.each(PAYOUT_PROBLEMS)('%s fits into a list', (problem) => {
  expect(failedBriefly(problem)).toMatch(/^[A-Z][a-z ]{1,20}$/);
});

test('an unknown problem is shown as unknown', () => {
  expect(failedBriefly(null)).toBe('Reason unknown');
  expect(failedBriefly('lost_in_space')).toBe('lost in space');
});
