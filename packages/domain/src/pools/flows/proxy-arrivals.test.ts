import { expect, test } from 'vitest';
import { arrivalJournalKind, mayUndoReturn, resolvableUnits } from './proxy-arrivals.ts';

test.each([
  ['withdrawal', false, 'pool_funds_returned'],
  ['withdrawal', true, 'pool_unexplained_in'],
  ['bounce', true, 'pool_bounced'],
  [null, false, 'pool_unexplained_in'],
] as const)('a transfer that is a %s, valued %s, is booked as %s', (match, isValued, kind) => {
  expect(arrivalJournalKind({ match, isValued })).toBe(kind);
});

const facts = {
  isValued: false,
  isBeingBooked: false,
  unexplainedUnits: 100n,
  proxyUnits: 500n,
  returnedUnits: 50n,
  shortfallUnits: 30n,
};

test.each([
  ['is_return', {}, 70n],
  ['is_return', { isValued: true }, 0n],
  ['sent_back', { isValued: true }, 70n],
  ['sent_back', { isBeingBooked: true }, 0n],
  ['sent_back', { proxyUnits: 60n }, 10n],
  ['sent_back', { proxyUnits: 40n }, 0n],
  ['sent_back', { shortfallUnits: 200n }, 0n],
  ['covers_shortfall', {}, 30n],
  ['covers_shortfall', { shortfallUnits: 200n }, 100n],
] as const)('unexplained money ends as %s with %o: at most %s', (end, changed, units) => {
  expect(resolvableUnits(end, { ...facts, ...changed })).toBe(units);
});

test.each([
  [50n, {}, true],
  [51n, {}, false],
  [50n, { isBeingValued: true }, false],
  [50n, { isOfPresentCycle: false }, false],
  [50n, { isValued: true }, false],
] as const)('a return of %s with %o may be undone: %s', (units, changed, isAllowed) => {
  expect(mayUndoReturn(units, { ...facts, isBeingValued: false, isOfPresentCycle: true, ...changed })).toBe(
    isAllowed,
  );
});
