import { expect, test } from 'vitest';
import { accountKeyOf } from './account-key.ts';
import { createDepositAddresses } from './deposit-addresses.ts';
import { createWalletKeys } from './wallet-keys.ts';

/** BIP-39 seed of "test test test test test test test test test test test junk". */
const SEED = Buffer.from(
  '9dfc3c64c2f8bede1533b6a79f8570e5943e0b8fd1cf77107adf7b72cef42185d564a3aee24cab43f80e3c4538087d70fc824eabbad596a23c97b6ee8322ccc0',
  'hex',
);
const keys = createWalletKeys(SEED);

test('the keys of deposits are those of the addresses that traders are given', () => {
  const addresses = createDepositAddresses(accountKeyOf(SEED));
  for (const keyIndex of [0, 1, 77])
    expect(keys.at({ role: 'deposit', keyIndex }).address).toBe(addresses.at(keyIndex));
  // As every wallet derives them.
  expect(keys.at({ role: 'deposit', keyIndex: 0 }).address).toBe(
    '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  );
});

test('no two roles share a wallet', () => {
  const roles = ['gas', 'community', 'deposit'] as const;
  const addresses = roles.flatMap((role) => [0, 1].map((keyIndex) => keys.at({ role, keyIndex }).address));
  expect(new Set(addresses).size).toBe(6);
});
