import { expect, test } from 'vitest';
import { type PayoutProgress, planPayoutSteps } from './payout-steps.ts';

const CREATED = '2026-01-01T00:00:00Z';
const UPDATED = '2026-01-02T00:00:00Z';
const PAID = '2026-01-01T12:00:00Z';
const HASH = `0x${'a'.repeat(64)}`;

const steps = (changes: Partial<PayoutProgress>) =>
  planPayoutSteps({
    status: 'pending',
    created_at: CREATED,
    updated_at: UPDATED,
    consolidate_transaction_hash: null,
    distribute_transaction_hash: null,
    paid_at: null,
    problem: null,
    ...changes,
  });
const states = (changes: Partial<PayoutProgress>) => steps(changes).map(({ state }) => state);

test.each([
  ['pending', ['done', 'waiting', 'waiting']],
  ['consolidating', ['done', 'running', 'waiting']],
  ['consolidated', ['done', 'done', 'waiting']],
  ['distributing', ['done', 'done', 'running']],
  ['distributed', ['done', 'done', 'done']],
] as const)('%s', (status, wanted) => {
  expect(states({ status })).toEqual(wanted);
});

test('the failed step is the first one without a transaction', () => {
  expect(states({ status: 'failed' })).toEqual(['done', 'failed', 'waiting']);
  expect(states({ status: 'failed', consolidate_transaction_hash: HASH })).toEqual([
    'done',
    'done',
    'failed',
  ]);
});

test('a cancelled or declined payout did not fail in consolidating', () => {
  expect(states({ status: 'failed', problem: 'cancelled' })).toEqual(['done', 'waiting', 'failed']);
  expect(states({ status: 'failed', problem: 'reverted', consolidate_transaction_hash: HASH })).toEqual([
    'done',
    'done',
    'failed',
  ]);
  expect(states({ status: 'failed', problem: 'consolidation_reverted' })).toEqual([
    'done',
    'failed',
    'waiting',
  ]);
  const reverted = { problem: 'consolidation_reverted', consolidate_transaction_hash: HASH };
  expect(states({ status: 'failed', ...reverted })).toEqual(['done', 'failed', 'waiting']);
});

test('known times are returned, and each hash with its step', () => {
  expect(steps({ status: 'consolidated', consolidate_transaction_hash: HASH })[1]).toEqual({
    kind: 'consolidated',
    state: 'done',
    transaction_hash: HASH,
    at: UPDATED,
  });
  const distributed = steps({ status: 'distributed', distribute_transaction_hash: HASH, paid_at: PAID });
  expect(distributed.map(({ at }) => at)).toEqual([CREATED, null, PAID]);
  expect(distributed.map(({ kind }) => kind)).toEqual(['created', 'consolidated', 'distributed']);
  const times = (changes: Partial<PayoutProgress>) => steps(changes).map(({ at }) => at);
  // Without the time of the payment, that of the last change.
  expect(times({ status: 'distributed' })).toEqual([CREATED, null, UPDATED]);
  expect(times({ status: 'distributing' })).toEqual([CREATED, null, null]);
  expect(times({ status: 'failed' })).toEqual([CREATED, UPDATED, null]);
  expect(times({ status: 'failed', consolidate_transaction_hash: HASH })).toEqual([CREATED, null, UPDATED]);
});
