import { HARVEST_STATUSES } from '@copydesk/domain/catalogue';
import { HARVEST_STEPS } from '@copydesk/domain/pools';
import { expect, test } from 'vitest';
import { evidenceWords, foreignWords } from './harvest/progress-texts.ts';
import { countsWords, cycleWords, harvestLabel, needsAction, progressWords } from './harvest-texts.ts';

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
    'Bybit did not credit the funds: No credit in time. Manual intervention is required.',
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

test('an event shows what it changed, with the difference', () => {
  const at = (balance: string, open_positions: number, rest: object = {}) => ({
    evidence: { balance, open_positions, open_orders: 0, returned: '0', ...rest },
  });
  const first = at('1000', 2);
  expect(evidenceWords(first, [])).toBe('At Bybit 1,000.00 USDT · Positions 2');
  // Nothing open is no news.
  expect(evidenceWords(at('1000', 0), [])).toBe('At Bybit 1,000.00 USDT');
  const second = at('990.5', 0);
  expect(evidenceWords(second, [first])).toBe('At Bybit 990.50 USDT (-9.50 USDT) · Positions 0 (-2)');
  expect(evidenceWords(second, [second, first])).toBe('');
  // An event that read nothing leaves the read before it.
  expect(evidenceWords(at('990.5', 0, { reasons: 'large_result' }), [{ evidence: {} }, second])).toBe(
    'Reasons large result',
  );
});

test('foreign money is said by type and sum, with what becomes of it', () => {
  const loan = {
    foreign: [{ type: 'LOANS_BORROW_FUNDS', amount: '7825.89' }],
    set_aside: '7825.89',
    missing: '0',
  };
  expect(foreignWords(loan)).toBe(
    "Bybit's log lists LOANS_BORROW_FUNDS +7,825.89 USDT. 7,825.89 USDT of it is set aside and is no result.",
  );
  const earn = {
    foreign: [{ type: 'FLEXIBLE_STAKING_SUBSCRIPTION', amount: '-100' }],
    set_aside: '0',
    missing: '100',
  };
  expect(foreignWords(earn)).toBe(
    "Bybit's log lists FLEXIBLE_STAKING_SUBSCRIPTION -100.00 USDT. 100.00 USDT is missing and is no loss: it has to come back first.",
  );
  expect(foreignWords({ foreign: [], set_aside: '0', missing: '0' })).toBe(null);
});
