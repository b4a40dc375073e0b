import { expect, test } from 'vitest';
import { withdrawObstacle } from './withdraw-obstacle.ts';

test('a withdrawal needs an amount, an address, and a community that is not archived', () => {
  const address = '0x52908400098527886E0F7030069857D2E4169EE7';
  expect(withdrawObstacle({ amount: '0.000001', address }, false)).toBeNull();
  expect(withdrawObstacle(undefined, false)).toBeNull();
  expect(withdrawObstacle({ amount: '0.00', address }, false)).toContain('Nothing');
  expect(withdrawObstacle({ amount: '5', address: null }, false)).toContain('No payable external address');
  expect(withdrawObstacle({ amount: '5', address }, true)).toContain('Archived');
});
