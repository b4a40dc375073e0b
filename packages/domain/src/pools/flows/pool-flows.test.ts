import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HARVEST_STATES, type HarvestState } from '../harvest/harvest-states.ts';
import {
  decideDeposit,
  decideWithdrawal,
  depositsToCollect,
  isGateOpen,
  type PendingDeposit,
  planFunding,
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
    ['can be cancelled while it is queued', TRADING, 'queued', 'cancel', { to: 'cancelled' }],
    ['cannot be cancelled while it is paid', OPEN, 'paying', 'cancel', { refusal: 'invalid_flow_status' }],
    ['is not paid twice', OPEN, 'paid', 'pay', { refusal: 'invalid_flow_status' }],
  ] as const)('%s', (_what, state, status, event, decision) => {
    expect(decideWithdrawal(state, status, event)).toEqual(decision);
  });
});

test.each([
  ['everything that is the members’', 1_005n, 5n, 100n, 900n],
  ['nothing below the minimum', 49n, 0n, 0n, 0n],
  ['nothing of what is owed to others', 100n, 60n, 60n, 0n],
  ['only whole steps of the exchange', 119n, 0n, 0n, 110n],
])('funding sends %s', (_what, proxyUnits, feesDueUnits, unexplainedUnits, units) => {
  const facts = { proxyUnits, feesDueUnits, unexplainedUnits, minimumUnits: 50n, stepUnits: 10n };
  expect(planFunding(facts)).toBe(units);
});
