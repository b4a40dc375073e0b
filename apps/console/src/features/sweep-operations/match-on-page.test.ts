import { expect, test } from 'vitest';
import { isHex, matchesOnPage } from './match-on-page.ts';

const row = {
  id: '1',
  status: 'distributed',
  recipient_type: 'community_referrer',
  recipient_address: `0xAbC${'0'.repeat(37)}`,
  total_amount: '1',
  consolidate_transaction_hash: `0x${'1'.repeat(64)}`,
  distribute_transaction_hash: null,
  problem: null,
  is_imported: false,
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
  community: null,
} as const;

test.each(['0xabc', 'ABC0', '0x111', 'community_ref', 'Community referrer', ' distri '])(
  'finds %s',
  (text) => {
    expect(matchesOnPage(row, text)).toBe(true);
  },
);

test.each(['failed', '0x2', 'mark'])('does not find %s', (text) => {
  expect(matchesOnPage(row, text)).toBe(false);
});

test('the beginning of an address is told from other words', () => {
  expect(['0xab1', 'ABCDEF'].every(isHex)).toBe(true);
  expect(['failed', 'ab', '0x', 'mark'].some(isHex)).toBe(false);
});
