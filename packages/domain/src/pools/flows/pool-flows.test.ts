import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HARVEST_STATES, type HarvestState } from '../harvest/harvest-states.ts';
import {
  decideDeposit,
  decideWithdrawal,
  depositRefusal,
  depositsToCollect,
  isGateOpen,
  type PendingDeposit,
  POOL_DEPOSIT_STATUSES,
  planFunding,
  WITHDRAWAL_STATUSES,
} from './pool-flows.ts';
import { planReservations, suggestsAll, type WithdrawalRequest } from './withdrawal-amounts.ts';

const OPEN: HarvestState = { status: 'harvesting', step: 'open' };
const CLOSING: HarvestState = { status: 'harvesting', step: 'closing' };
const TRADING: HarvestState = { status: 'stopped', step: 'trading' };
const USDT = 10n ** 18n;

describe('a deposit', () => {
  const deposit = (requestId: string, memberId: string, units: bigint): PendingDeposit => ({
    requestId,
    memberId,
    units,
    status: 'queued',
  });
  const deposits = [deposit('1', 'ann', 60n), deposit('2', 'bob', 99n), deposit('3', 'ann', 40n)];
  const idsOf = (list: readonly PendingDeposit[]) => list.map(({ requestId }) => requestId);

  test('below the minimum adds up with the member’s others, and is collected with them', () => {
    expect(idsOf(depositsToCollect(OPEN, deposits, 100n))).toEqual(['1', '3']);
    expect(idsOf(depositsToCollect(OPEN, deposits.slice(0, 2), 100n))).toEqual([]);
  });

  test('is collected only while the gate is open, and once', () => {
    for (const state of HARVEST_STATES)
      expect(depositsToCollect(state, deposits, 1n).length > 0).toBe(isGateOpen(state));
    const collecting = deposits.map((one) => ({ ...one, status: 'collecting' as const }));
    expect(depositsToCollect(OPEN, collecting, 1n)).toEqual([]);
  });

  test.each([
    ['is collected while open', OPEN, 'queued', 'collect', 'collecting'],
    ['is admitted while the gate closes', CLOSING, 'collecting', 'admit', 'admitted'],
    ['is queued again when its collection failed', OPEN, 'collecting', 'release', 'queued'],
    ['is queued again when its return was not paid', TRADING, 'returning', 'keep', 'queued'],
    ['may be asked back while the pool trades', TRADING, 'queued', 'ask_back', 'returning'],
    ['is returned', TRADING, 'returning', 'return', 'returned'],
  ] as const)('%s', (_what, state, status, event, to) => {
    expect(decideDeposit(state, status, event)).toEqual({ to });
  });

  test.each([
    ['is not collected behind the gate', CLOSING, 'queued', 'collect', 'gate_closed'],
    ['is not admitted while the pool trades', TRADING, 'collecting', 'admit', 'gate_closed'],
    ['cannot be asked back once it is collected', OPEN, 'collecting', 'ask_back', 'invalid_flow_status'],
    ['is not admitted twice', OPEN, 'admitted', 'admit', 'invalid_flow_status'],
  ] as const)('%s', (_what, state, status, event, refusal) => {
    expect(decideDeposit(state, status, event)).toEqual({ refusal });
  });

  test('reaches every status from the queue, and no other', () => {
    const events = ['collect', 'admit', 'release', 'ask_back', 'keep', 'return'] as const;
    const found = new Set<(typeof POOL_DEPOSIT_STATUSES)[number]>(['queued']);
    for (const status of found)
      for (const event of events) {
        const decision = decideDeposit(OPEN, status, event);
        if ('to' in decision) found.add(decision.to);
      }
    expect(found).toEqual(new Set(POOL_DEPOSIT_STATUSES));
  });
});

describe('a withdrawal', () => {
  const at = new Date('2026-03-01');
  const request = (requestId: string, amount: bigint | 'all', memberId = 'ann'): WithdrawalRequest => ({
    requestId,
    memberId,
    requestedAt: at,
    amount,
  });
  const reserve = (...requests: WithdrawalRequest[]) =>
    planReservations(requests, new Map([['ann', 100n]]), null);

  test('of everything takes what is left after the amounts', () => {
    expect(reserve(request('1', 'all'), request('2', 30n))).toEqual([
      { requestId: '2', memberId: 'ann', units: 30n, goesOn: false },
      { requestId: '1', memberId: 'ann', units: 70n, goesOn: false },
    ]);
  });

  test('of everything goes on in parts of the largest payout, to the unit; an amount is never cut', () => {
    const left = (units: bigint) =>
      planReservations([request('1', 'all')], new Map([['ann', units]]), 40n).map((one) =>
        'units' in one ? [one.units, one.goesOn] : one.refusal,
      );
    expect([100n, 41n, 40n, 1n, 0n].map(left)).toEqual([
      [[40n, true]],
      [[40n, true]],
      [[40n, false]],
      [[1n, false]],
      ['nothing_to_withdraw'],
    ]);
    expect(planReservations([request('1', 60n)], new Map([['ann', 100n]]), 40n)).toMatchObject([
      { units: 60n, goesOn: false },
    ]);
  });

  test('above the capital is refused with the number, and not cut', () => {
    expect(reserve(request('1', 101n))).toMatchObject([
      { refusal: 'amount_above_capital', availableUnits: 100n },
    ]);
    expect(reserve(request('1', 60n), request('2', 60n))).toMatchObject([
      { units: 60n },
      { refusal: 'amount_above_capital', availableUnits: 40n },
    ]);
    expect(reserve(request('1', 'all'), request('2', 'all'))).toMatchObject([
      { units: 100n },
      { refusal: 'nothing_to_withdraw' },
    ]);
  });

  test('is served before a younger one, whatever their ids', () => {
    const older = { ...request('9', 80n), requestedAt: new Date('2026-02-28') };
    expect(reserve(request('1', 80n), older)).toMatchObject([
      { requestId: '9', units: 80n },
      { requestId: '1', refusal: 'amount_above_capital', availableUnits: 20n },
    ]);
  });

  test('is served by its id among those of one moment', () => {
    expect(reserve(request('2', 80n), request('1', 70n))).toMatchObject([
      { requestId: '1', units: 70n },
      { requestId: '2', refusal: 'amount_above_capital', availableUnits: 30n },
    ]);
  });

  test('does not depend on the order in which requests are given', () => {
    const amount = fc.oneof(fc.bigInt({ min: 1n, max: 80n }), fc.constant('all' as const));
    const one = fc.tuple(amount, fc.constantFrom('ann', 'bob'));
    fc.assert(
      fc.property(fc.array(one, { maxLength: 8 }), fc.nat(), (list, turn) => {
        const requests = list.map(([units, member], index) => request(`r${index}`, units, member));
        const from = turn % (requests.length || 1);
        const turned = [...requests.slice(from), ...requests.slice(0, from)].reverse();
        const available = new Map([
          ['ann', 100n],
          ['bob', 50n],
        ]);
        for (const largest of [null, 30n])
          expect(planReservations(turned, available, largest)).toEqual(
            planReservations(requests, available, largest),
          );
      }),
    );
  });

  test('suggests everything when less than 1 USDT would stay', () => {
    expect(suggestsAll(9n * USDT + 1n, 10n * USDT)).toBe(true);
    expect(suggestsAll(9n * USDT, 10n * USDT)).toBe(false);
    expect(suggestsAll(10n * USDT, 10n * USDT)).toBe(false);
  });

  test.each([
    ['is reserved while open', OPEN, 'queued', 'reserve', { to: 'reserved' }],
    ['is not reserved behind the gate', CLOSING, 'queued', 'reserve', { refusal: 'gate_closed' }],
    ['is not reserved while the pool trades', TRADING, 'queued', 'reserve', { refusal: 'gate_closed' }],
    ['is paid while the gate closes', CLOSING, 'paying', 'conclude', { to: 'paid' }],
    ['goes back when its payout failed', CLOSING, 'paying', 'release', { to: 'queued' }],
    ['is not paid behind the gate', CLOSING, 'reserved', 'pay', { refusal: 'gate_closed' }],
    ['is not concluded while the pool trades', TRADING, 'paying', 'conclude', { refusal: 'gate_closed' }],
    ['is queued again while the pool trades', TRADING, 'reserved', 'release', { to: 'queued' }],
    ['can be cancelled once it is reserved', CLOSING, 'reserved', 'cancel', { to: 'cancelled' }],
    ['can be cancelled while it is queued', TRADING, 'queued', 'cancel', { to: 'cancelled' }],
    ['cannot be cancelled while it is paid', OPEN, 'paying', 'cancel', { refusal: 'invalid_flow_status' }],
    ['is not paid twice', OPEN, 'paid', 'pay', { refusal: 'invalid_flow_status' }],
  ] as const)('%s', (_what, state, status, event, decision) => {
    expect(decideWithdrawal(state, status, event)).toEqual(decision);
  });

  test('reaches every status from the queue, and no other', () => {
    const events = ['reserve', 'pay', 'conclude', 'release', 'refuse', 'cancel'] as const;
    const found = new Set<(typeof WITHDRAWAL_STATUSES)[number]>(['queued']);
    for (const status of found)
      for (const event of events) {
        const decision = decideWithdrawal(OPEN, status, event);
        if ('to' in decision) found.add(decision.to);
      }
    expect(found).toEqual(new Set(WITHDRAWAL_STATUSES));
  });
});

test.each([
  ['everything that is the members’', 1_005n, 5n, 100n, 900n],
  ['the minimum itself', 50n, 0n, 0n, 50n],
  ['nothing below the minimum', 59n, 0n, 10n, 0n],
  ['nothing when a whole step is below the minimum', 49n, 0n, 0n, 0n],
  ['nothing of what is owed to others', 100n, 60n, 60n, 0n],
  ['only whole steps of the exchange', 119n, 0n, 0n, 110n],
])('funding sends %s', (_what, proxyUnits, feesDueUnits, unexplainedUnits, units) => {
  const facts = { proxyUnits, feesDueUnits, unexplainedUnits, minimumUnits: 50n, stepUnits: 10n };
  expect(planFunding(facts)).toBe(units);
});

describe('money is sent to the exchange', () => {
  const rules = { isOpen: true, tokenAddress: '0xAbC123', tokenEnding: 'C123', mostUnits: 100n };
  const units = 100n;
  const tokenAddress = '0xaBc123';
  test.each([
    ['up to its limit, whatever the letter case of its token', {}, null],
    [
      'where it states neither token nor limit',
      { tokenAddress: null, tokenEnding: null, mostUnits: null },
      null,
    ],
    ['not above its limit', { mostUnits: 99n }, 'above_deposit_limit'],
    ['not while it takes no deposits', { isOpen: false }, 'deposits_suspended'],
    ['not where it credits another token', { tokenAddress: '0xAbC124', tokenEnding: null }, 'other_token'],
    ['not where it shows another token', { tokenAddress: null, tokenEnding: 'abc1' }, 'other_token'],
    ['where it shows the same', { tokenAddress: null }, null],
  ])('%s', (_what, changed, refusal) => {
    expect(depositRefusal({ units, tokenAddress }, { ...rules, ...changed })).toBe(refusal);
  });

  test('with nothing to send no deposit is needed', () => {
    expect(depositRefusal({ units: 0n, tokenAddress }, { ...rules, isOpen: false })).toBeNull();
  });
});
