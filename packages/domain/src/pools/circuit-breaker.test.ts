import { expect, test } from 'vitest';
import { breakerDistance, isBreakerTripped } from './circuit-breaker.ts';

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
