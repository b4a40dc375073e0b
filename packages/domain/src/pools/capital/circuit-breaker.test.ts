import { expect, test } from 'vitest';
import { breakerDistance, isBreakerTripped, limitFor, raisedBreaker } from './circuit-breaker.ts';

test.each([
  ['0', '20', '20', false],
  ['-19.99999999', '20', '0.00000001', false],
  ['-20', '20', '0', true],
  ['-33.5', '20', '-13.5', true],
] as const)('a drawdown of %s with a limit of %s leaves %s', (drawdown, limit, distance, isTripped) => {
  expect(breakerDistance(drawdown, limit)).toBe(distance);
  expect(isBreakerTripped(drawdown, limit)).toBe(isTripped);
});

test('without a limit a pool trades on', () => {
  expect(isBreakerTripped('-100', null)).toBe(false);
});

const ofAda = { by: 'ada', from: '20' };
const ofBo = { by: 'bo', from: '30' };
test.each([
  ['20', '40', [], [ofAda]],
  ['20', null, [], [ofAda]],
  ['20', '20.0', [], []],
  ['20', '10', [], []],
  [null, '40', [], []],
  // Tightening takes nothing back, and a second step keeps the lowest limit.
  ['40', '30', [ofAda], [ofAda]],
  ['40', '60', [ofAda], [ofAda]],
  ['15', '60', [ofAda], [{ by: 'ada', from: '15' }]],
  // Another person's raise stays.
  ['40', '60', [ofBo], [ofBo, { by: 'ada', from: '40' }]],
  ['40', '60', [ofBo, ofAda], [ofBo, ofAda]],
] as const)('a limit from %s to %s after %o leaves %o', (before, after, earlier, left) => {
  expect(raisedBreaker('ada', { before, after, earlier })).toEqual(left);
});

const ownAccount = (id: string) => [id];
test.each([
  ['ada', '40', '20'],
  ['ada', null, '20'],
  ['ada', '10', '10'],
  ['bo', '40', '30'],
  ['cy', '40', '40'],
  ['cy', null, null],
])('after ada and bo raised limits of 20 and 30, %s is held to %s by %s', (person, limit, held) => {
  expect(limitFor(person, { limit, raises: [ofAda, ofBo], accountsOf: ownAccount })).toBe(held);
});

test.each([
  ['an account that ada made', 'puppet', (id: string) => (id === 'puppet' ? [id, 'ada'] : [id])],
  ['the maker of the account that raised it', 'cy', (id: string) => (id === 'ada' ? [id, 'cy'] : [id])],
  ['an account of the same maker', 'twin', (id: string) => (id === 'cy' ? [id] : [id, 'cy'])],
])('%s is held to the same limit', (_, person, accountsOf) => {
  expect(limitFor(person, { limit: '60', raises: [ofAda], accountsOf })).toBe('20');
});
