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
test.each([
  ['20', '40', null, ofAda],
  ['20', null, null, ofAda],
  ['20', '20.0', null, null],
  ['20', '10', null, null],
  [null, '40', null, null],
  // Tightening takes nothing back, and a second step keeps the lowest limit.
  ['40', '30', ofAda, ofAda],
  ['40', '60', ofAda, ofAda],
  ['15', '60', ofAda, { by: 'ada', from: '15' }],
  ['40', '60', { by: 'bo', from: '20' }, { by: 'ada', from: '40' }],
] as const)('a limit from %s to %s after %o leaves %o', (before, after, earlier, left) => {
  expect(raisedBreaker('ada', { before, after, earlier })).toEqual(left);
});

test.each([
  ['ada', '40', '20'],
  ['ada', null, '20'],
  ['ada', '10', '10'],
  ['bo', '40', '40'],
  ['bo', null, null],
  [null, '40', '40'],
])('after ada raised a limit of 20, %s is held to %s by %s', (person, limit, held) => {
  expect(limitFor(person, limit, ofAda)).toBe(held);
});
