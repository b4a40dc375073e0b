import { expect, test } from 'vitest';
import { withdrawObstacle } from './wallets-panel.tsx';

test('a withdrawal needs an amount and an address', () => {
  const address = '0x52908400098527886E0F7030069857D2E4169EE7';
  expect(withdrawObstacle({ amount: '0.000001', address })).toBeNull();
  expect(withdrawObstacle(undefined)).toBeNull();
  expect(withdrawObstacle({ amount: '0.00', address })).toContain('Nothing');
  expect(withdrawObstacle({ amount: '5', address: null })).toContain('No payable external address');
});
