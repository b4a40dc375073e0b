import { decodeFunctionData, erc20Abi, parseTransaction, recoverTransactionAddress } from 'viem';
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

test("deposit keys belong to the traders' addresses", () => {
  const addresses = createDepositAddresses(accountKeyOf(SEED));
  for (const keyIndex of [0, 1, 77])
    expect(keys.addressOf({ role: 'deposit', keyIndex })).toBe(addresses.at(keyIndex));
  // The addresses that every wallet derives.
  expect(keys.addressOf({ role: 'deposit', keyIndex: 0 })).toBe('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266');
});

test('no two roles share a wallet', () => {
  const roles = ['gas', 'community', 'deposit', 'pool_deposit', 'pool_proxy'] as const;
  const addresses = roles.flatMap((role) => [0, 1].map((keyIndex) => keys.addressOf({ role, keyIndex })));
  expect(new Set(addresses).size).toBe(10);
});

test('the signed bytes encode the transfer, and equal terms give equal bytes', async () => {
  const place = { role: 'community', keyIndex: 3 } as const;
  const token = '0x55d398326f99059fF775485246999027B3197955';
  const to = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
  const terms = { chainId: 56, nonce: 7, gasLimit: 90_000n, fee: { maxFee: 3n, priorityFee: 1n } };
  const sign = () => keys.sign(place, { to, token, units: 12_345n }, terms);
  const { raw, hash } = await sign();
  expect(await sign()).toEqual({ raw, hash });
  const parsed = parseTransaction(raw);
  expect(parsed).toMatchObject({
    chainId: 56,
    nonce: 7,
    to: token.toLowerCase(),
    gas: 90_000n,
    maxFeePerGas: 3n,
  });
  const { functionName, args } = decodeFunctionData({ abi: erc20Abi, data: parsed.data ?? '0x' });
  expect([functionName, args]).toEqual(['transfer', [to, 12_345n]]);
  const signer = await recoverTransactionAddress({ serializedTransaction: raw as `0x02${string}` });
  expect(signer).toBe(keys.addressOf(place));
});
