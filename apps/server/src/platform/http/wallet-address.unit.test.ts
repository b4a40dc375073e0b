import { expect, test } from 'vitest';
import { Refusal } from '../refusal.ts';
import { checkedWalletAddress } from './wallet-address.ts';

/** The examples of EIP-55, as it writes them. */
const VECTORS = [
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
  '0xde709f2102306220921060314715629080e2fb77',
  '0x27b1fdb04752bbc536007a920d24acb045561c26',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
];

test.each(VECTORS)('%s is written with its checksum', (address) => {
  expect(checkedWalletAddress('wallet', address)).toBe(address);
  expect(checkedWalletAddress('wallet', address.toLowerCase())).toBe(address);
});

test.each([
  ['0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'Invalid input: the checksum of the address is wrong'],
  ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe', 'Invalid input: not an EVM address'],
  [`0x${'0'.repeat(40)}`, 'Invalid input: the zero address cannot be paid'],
])('%s is refused, by the name of its field', (address, message) => {
  const path = 'external_wallet_address';
  const refused = new Refusal('validation_failed', {
    message: `${path}: ${message}`,
    details: [{ path, message }],
  });
  expect(() => checkedWalletAddress(path, address)).toThrow(refused);
});
