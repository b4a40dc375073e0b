import { expect, test } from 'vitest';
import { matchesOnPage, narrowingOf } from './match-on-page.ts';

const row = {
  id: '5f0c2a91-7d5e-4c1b-9a43-0b1d2c3e4f50',
  status: 'distributed',
  recipient_type: 'community_referrer',
  recipient_address: `0xAbC${'0'.repeat(37)}`,
  total_amount: '1',
  consolidate_transaction_hash: `0x${'1'.repeat(64)}`,
  distribute_transaction_hash: null,
  problem: null,
  replaced_by: null,
  is_imported: false,
  awaits_approval: false,
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
  community: { id: '2', name: 'Kite Traders' },
} as const;

test.each([
  '0xabc',
  'ABC0',
  '0x111',
  'community_ref',
  'Community referrer',
  ' distri ',
  '\u200b5F0C2A91',
  'kite',
])('finds %s', (text) => {
  expect(matchesOnPage(row, text)).toBe(true);
});

test.each(['failed', '0x2', 'mark'])('does not find %s', (text) => {
  expect(matchesOnPage(row, text)).toBe(false);
});

test.each([
  [' 0xAB1', { search: '0xab1' }],
  ['ABCDEF', { search: 'abcdef' }],
  ['Failed', { status: 'failed' }],
  ['distributed', { status: 'distributed' }],
  ['community', { type: 'community' }],
  ['Community referrer', { type: 'community_referrer' }],
  ['mark', { type: 'mark' }],
  ['Kite  traders', { search: 'kite traders' }],
  ['5F0C2A91-7d5e', { search: '5f0c2a91-7d5e' }],
  ['0x12 34\u00a056', { search: '0x123456' }],
])('%s asks all payouts for %o', (text, narrowing) => {
  expect(narrowingOf(text)).toEqual(narrowing);
});

test.each(['', '0x', 'ab', 'referrer', 'ki'])('"%s" asks nothing of all payouts', (text) => {
  expect(narrowingOf(text)).toBeNull();
});
