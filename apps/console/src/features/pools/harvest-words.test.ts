import { HARVEST_STATUSES, HARVEST_STEPS } from '@copydesk/domain';
import { expect, test } from 'vitest';
import { countsWords, cycleWords, harvestLabel, needsAction, progressWords } from './harvest-words.ts';

test('statuses have the labels of the specification', () => {
  expect(HARVEST_STATUSES.map(harvestLabel)).toEqual([
    'Harvesting',
    'Trading',
    'Starting...',
    'Stopping...',
    'Manual Withdrawal Required',
    'Processing Invoices',
    'Failed',
  ]);
  expect(harvestLabel('mixed')).toBe('Mixed States');
  expect(harvestLabel('mixed_transitioning')).toBe('Mixed States');
  expect(harvestLabel('paused_by_venue')).toBe('paused_by_venue');
  expect(harvestLabel('')).toBe('Unknown');
});

test('two statuses require an action', () => {
  expect(HARVEST_STATUSES.filter(needsAction)).toEqual(['awaiting_bybit_withdrawal', 'processing_invoices']);
});

test.each([
  ['starting_harvesting', 'Processing...'],
  ['stopping_harvesting', 'Processing...'],
  ['mixed_transitioning', 'Processing...'],
  ['awaiting_bybit_withdrawal', 'Awaiting action...'],
  ['processing_invoices', 'Awaiting action...'],
  ['stopped', null],
  ['harvesting', null],
  ['mixed', null],
  ['failed', null],
] as const)('all pools %s: %s', (status, words) => {
  expect(progressWords(status)).toBe(words);
});

test('every step says what happens, and why it waits', () => {
  for (const step of HARVEST_STEPS)
    expect(cycleWords({ status: 'stopped', step, reason: null })).toMatch(/^[A-Z].+\.$/);
  expect(cycleWords({ status: 'stopped', step: 'trading', reason: 'positions_appeared' })).toBe(
    'The pool trades on Bybit. Deposits and withdrawals are paused. The start was called off: a position was opened in the meantime.',
  );
  expect(cycleWords({ status: 'processing_invoices', step: 'valuing', reason: 'approval_required' })).toBe(
    'The system values the pool. Another super admin must approve the valuation.',
  );
  expect(cycleWords({ status: 'starting_harvesting', step: 'pausing', reason: 'bot_unknown_pool' })).toBe(
    'Trading is being paused: the bot or an operator confirms it. The trading bot: unknown pool.',
  );
  expect(cycleWords({ status: 'failed', step: 'crediting', reason: 'No credit in time.' })).toBe(
    'Waiting for the credit failed: No credit in time. Manual intervention is required.',
  );
});

test('a failure names its step and its reason', () => {
  expect(cycleWords({ status: 'failed', step: 'sending', reason: 'transfer_reverted' })).toBe(
    'Sending to Bybit failed: The transfer reverted on chain. Manual intervention is required.',
  );
  expect(cycleWords({ status: 'failed', step: 'sending', reason: null })).toBe(
    'Sending to Bybit failed. Manual intervention is required.',
  );
});

test('mixed pools are counted by status', () => {
  expect(countsWords({ ...NONE, harvesting: 2, stopped: 1 })).toBe('2 harvesting, 1 trading');
  expect(countsWords({ ...NONE, starting_harvesting: 1, failed: 3 })).toBe('1 starting, 3 failed');
});

const NONE = Object.fromEntries(HARVEST_STATUSES.map((status) => [status, 0])) as Record<
  (typeof HARVEST_STATUSES)[number],
  number
>;
