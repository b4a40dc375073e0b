import { expect, test } from 'vitest';
import { walletStatus } from './wallet-status.tsx';

const wallets = (internal: string | null, external: string | null) => ({
  internal: { address: internal, balance: '0' },
  external: { address: external },
});

test.each([
  ['0x1', '0x2', false, 'set_up'],
  ['0x1', null, false, 'no_external'],
  [null, '0x2', false, 'not_set_up'],
  [null, null, false, 'not_set_up'],
  ['0x1', '0x2', true, 'frozen'],
] as const)('internal %s, external %s, frozen %s: %s', (internal, external, isFrozen, status) => {
  expect(walletStatus(wallets(internal, external), isFrozen)).toBe(status);
});
