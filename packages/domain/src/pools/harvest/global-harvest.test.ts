import { describe, expect, test } from 'vitest';
import { EMPTY_EXCHANGE, HEALTHY_FACTS } from '../../../../../tests/support/pools/healthy-facts.ts';
import { HARVEST_STATUSES, type HarvestStatus } from '../../catalogue.ts';
import { globalHarvestOf } from './global-harvest.ts';
import type { HarvestFacts } from './harvest-facts.ts';
import { admitRun, RUN_ACTIONS, type RunAction, runItemStateOf, runProgressOf } from './harvest-run.ts';
import { HARVEST_STATES } from './harvest-states.ts';

describe('the global status', () => {
  test.each([
    [[], 'no_pools', []],
    [['stopped', 'stopped'], 'stopped', ['start']],
    [['harvesting'], 'harvesting', ['stop']],
    [['starting_harvesting'], 'starting_harvesting', []],
    [['awaiting_bybit_withdrawal'], 'awaiting_bybit_withdrawal', []],
    [['failed', 'failed'], 'failed', []],
    [['stopped', 'harvesting'], 'mixed', ['start', 'stop']],
    [['stopped', 'failed'], 'mixed', ['start']],
    [['harvesting', 'processing_invoices'], 'mixed', ['stop']],
    [['stopped', 'harvesting', 'stopping_harvesting'], 'mixed_transitioning', []],
    [['stopped', 'starting_harvesting'], 'mixed_transitioning', []],
  ] as [HarvestStatus[], string, string[]][])('of %j is %s', (statuses, status, actions) => {
    expect(globalHarvestOf(statuses)).toMatchObject({ status, actions });
  });

  test('counts the pools of each status', () => {
    const { counts } = globalHarvestOf(['stopped', 'harvesting', 'stopped']);
    expect(counts).toMatchObject({ stopped: 2, harvesting: 1, failed: 0 });
    expect(Object.keys(counts)).toEqual([...HARVEST_STATUSES]);
  });
});

const pool = (poolId: string, status: HarvestStatus, facts: Partial<HarvestFacts> = {}) => {
  const state = HARVEST_STATES.find((one) => one.status === status);
  if (!state) throw new Error(status);
  return { poolId, state, facts: { ...HEALTHY_FACTS, ...facts } };
};
const admit = (action: RunAction, ...pools: ReturnType<typeof pool>[]) => admitRun(action, pools);

describe('a global run', () => {
  test('starts the trading pools and leaves out the others', () => {
    const others = [pool('b', 'harvesting'), pool('c', 'awaiting_bybit_withdrawal'), pool('d', 'failed')];
    expect(admit('start', pool('a', 'stopped'), ...others)).toEqual({
      kind: 'admit',
      poolIds: ['a'],
      leftOut: ['b', 'c', 'd'],
    });
  });

  test('is all or nothing: one refusal refuses it, the worst code first', () => {
    const exchange = (changed: Partial<typeof EMPTY_EXCHANGE>) => ({
      exchange: { ...EMPTY_EXCHANGE, ...changed },
    });
    const refused = admit(
      'start',
      pool('a', 'stopped'),
      pool('b', 'stopped', exchange({ unstoredPositions: 2 })),
      pool('c', 'stopped', exchange({ openPositions: 1 })),
    );
    expect(refused).toMatchObject({
      kind: 'refuse',
      code: 'open_positions_exist',
      refusals: [
        { poolId: 'b', code: 'uninvoiced_positions', detail: '2 closed positions are not stored' },
        { poolId: 'c', code: 'open_positions_exist', detail: '1 positions, 0 orders' },
      ],
    });
  });

  test.each([
    ['start', [pool('a', 'stopped'), pool('b', 'starting_harvesting')], 'already_harvesting'],
    ['start', [pool('a', 'stopped'), pool('b', 'stopping_harvesting')], 'invalid_status'],
    ['start', [pool('a', 'harvesting')], 'already_harvesting'],
    ['start', [pool('a', 'failed')], 'invalid_status'],
    ['start', [pool('a', 'harvesting'), pool('b', 'failed')], 'already_harvesting'],
    ['stop', [pool('a', 'harvesting'), pool('b', 'stopping_harvesting')], 'already_stopping'],
    ['stop', [pool('a', 'harvesting', { pendingOperations: 1 })], 'pending_operations'],
    ['stop', [pool('a', 'stopped')], 'not_harvesting'],
    ['retry', [pool('a', 'stopped')], 'invalid_status'],
    ['retry', [pool('a', 'failed', { failure: 'shortfall' })], 'decision_required'],
  ] as const)('to %s is refused (%#)', (action, pools, code) => {
    expect(admit(action, ...pools)).toMatchObject({ kind: 'refuse', code });
  });

  test('retries the failed pools', () => {
    expect(admit('retry', pool('a', 'failed'), pool('b', 'harvesting'))).toMatchObject({ poolIds: ['a'] });
  });

  test('is done when every pool has reached its goal or has failed', () => {
    const progress = (goal: 'start' | 'stop', ...statuses: HarvestStatus[]) =>
      runProgressOf(statuses.map((status) => runItemStateOf(goal, pool('a', status).state)));
    expect(progress('start', 'harvesting', 'awaiting_bybit_withdrawal')).toBe('running');
    expect(progress('start', 'harvesting', 'failed')).toBe('done_with_failures');
    expect(progress('start', 'harvesting', 'stopped')).toBe('done_with_failures');
    expect(progress('start', 'harvesting', 'harvesting')).toBe('done');
    expect(progress('stop', 'stopped', 'stopping_harvesting')).toBe('running');
    expect(progress('stop', 'stopped')).toBe('done');
    expect(progress('stop', 'stopped', 'harvesting')).toBe('done_with_failures');
    expect(progress('stop', 'stopped', 'failed')).toBe('done_with_failures');
  });

  test('is done with a pool that has gone further, and runs while one is on the way', () => {
    const goneFrom = (goal: 'start' | 'stop', state: 'moving' | 'awaiting' | 'done' | 'failed') =>
      HARVEST_STATUSES.filter((status) => runItemStateOf(goal, pool('a', status).state) === state).toSorted();
    expect(goneFrom('start', 'moving')).toEqual(['processing_invoices', 'starting_harvesting']);
    expect(goneFrom('start', 'done')).toEqual(['harvesting', 'stopping_harvesting']);
    expect(goneFrom('stop', 'moving')).toEqual(['stopping_harvesting']);
    expect(goneFrom('stop', 'done')).toEqual([
      'awaiting_bybit_withdrawal',
      'processing_invoices',
      'starting_harvesting',
      'stopped',
    ]);
  });

  test('of every action concerns the pools of one status', () => {
    const pools = [pool('a', 'stopped'), pool('b', 'harvesting'), pool('c', 'failed')];
    expect(RUN_ACTIONS.map((action) => admit(action, ...pools))).toMatchObject([
      { kind: 'admit', poolIds: ['a'] },
      { kind: 'admit', poolIds: ['b'] },
      { kind: 'admit', poolIds: ['c'] },
    ]);
  });
});
