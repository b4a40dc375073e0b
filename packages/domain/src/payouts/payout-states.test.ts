import { describe, expect, test } from 'vitest';
import { belongingTo, goesOnWithout, isFree, MOVED_NOTHING, PAYOUT_MOVES } from './payout-states.ts';
import type { TransferState } from './transfers/transfer-states.ts';

describe('payouts that belong to another', () => {
  const at = (payoutId: string, ...traders: string[]) => traders.map((traderId) => ({ payoutId, traderId }));
  test('share a deposit address with it, or with one that does', () => {
    const stranded = [...at('a', '1'), ...at('b', '1', '2'), ...at('c', '2'), ...at('d', '3')];
    const takenBy = (...ids: string[]) => Object.fromEntries(belongingTo(ids, stranded));
    expect(takenBy('a')).toEqual({ b: 'a', c: 'a' });
    expect(takenBy('d')).toEqual({});
    expect(takenBy('e')).toEqual({});
    expect(takenBy('d', 'c')).toEqual({ a: 'c', b: 'c' });
    expect(takenBy('a', 'b', 'c')).toEqual({});
  });
});

test('tokens that moved nothing are free, and no others', () => {
  const states: (TransferState | null)[] = [null, 'planned', 'sent', 'final', ...MOVED_NOTHING];
  expect(states.filter(isFree)).toEqual([null, ...MOVED_NOTHING]);
});

test('a payout goes on without a part that is stuck, and not without everything', () => {
  expect([0n, 1n, 2n, 3n].map((stuck) => goesOnWithout(2n, stuck))).toEqual([false, true, false, false]);
});

test('what the chain shows is booked whatever the status was, and a paid payout stays paid', () => {
  const unpaid = ['consolidated', 'consolidating', 'distributing', 'failed', 'pending'];
  expect(PAYOUT_MOVES.paid.from.toSorted()).toEqual(unpaid);
  expect(PAYOUT_MOVES.moved_nothing.from.toSorted()).toEqual(unpaid);
});
