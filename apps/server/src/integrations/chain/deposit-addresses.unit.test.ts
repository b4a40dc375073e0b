import { expect, test } from 'vitest';
import { createDepositAddresses } from './deposit-addresses.ts';

// The account key of the mnemonic "test test test test test test test test test test test junk". Every development
// chain prints its first addresses.
const ACCOUNT =
  'xpub6Ce9NcJvTk36xtLSrJLZqE7wtgA5deCeYs7rSQtreh4cj6ByPtrg9sD7V2FNFLPnf8heNP3FGkeV9qwfzvZNSd54JoNXVsXFYSYwHsnJxqP';

test('addresses equal those of wallets for the same path', () => {
  const addresses = createDepositAddresses(ACCOUNT);
  expect([0, 1, 2].map(addresses.at)).toEqual([
    '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  ]);
});

test("anything but an account's public key is refused, and not quoted", () => {
  const root =
    'xpub661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9gSE8NqtwybGhePY2gZ29ESFjqJoCu1Rupje8YtGqsefD265TMg7usUDFdp6W1EGMcet8';
  const secret =
    'xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi';
  expect(() => createDepositAddresses(root)).toThrow(/not that of an account/);
  expect(() => createDepositAddresses(secret)).toThrow(/^an extended private key; the public one is wanted$/);
  expect(() => createDepositAddresses(`${ACCOUNT}x`)).toThrow(/^not an extended public key$/);
});
