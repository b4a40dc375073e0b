import { expect, test } from 'vitest';
import { decideWalletAddress } from './wallet-address.ts';

/** The mixed-case examples of EIP-55. */
const VECTORS = [
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
];
const ZERO = `0x${'0'.repeat(40)}`;
const [known = ''] = VECTORS;
const checksummed = new Map(VECTORS.map((address) => [address.toLowerCase(), address]));
const toChecksum = (lowerCase: string) => checksummed.get(lowerCase) ?? lowerCase;

test.each(VECTORS)('%s is taken in its checksummed and in its one-case forms', (address) => {
  const upper = `0x${address.slice(2).toUpperCase()}`;
  for (const input of [address, address.toLowerCase(), upper])
    expect(decideWalletAddress(input, toChecksum)).toEqual({ ok: true, address });
});

test.each(VECTORS)('%s with one letter in the wrong case is refused', (address) => {
  const at = address.slice(2).search(/[a-z]/i) + 2;
  const letter = address.charAt(at);
  const flipped = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
  const input = address.slice(0, at) + flipped + address.slice(at + 1);
  expect(decideWalletAddress(input, toChecksum)).toEqual({ ok: false, reason: 'bad_checksum' });
});

test.each([
  ['', 'nothing'],
  [known.slice(2), 'no 0x'],
  [known.slice(0, -1), 'a digit too few'],
  [`${known}0`, 'a digit too many'],
  [` ${known}`, 'a space before it'],
  [`${known}\n`, 'a line end after it'],
  [`0X${known.slice(2)}`, 'a capital X'],
  [known.replace('E', 'G'), 'a letter that is no digit'],
  ['TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE', 'an address of TRON'],
])('"%s" is malformed: %s', (input) => {
  expect(decideWalletAddress(input, toChecksum)).toEqual({ ok: false, reason: 'malformed' });
});

test('the zero address cannot be paid', () => {
  expect(decideWalletAddress(ZERO, toChecksum)).toEqual({ ok: false, reason: 'zero_address' });
});

test.each([
  `0x${'0'.repeat(36)}dead`,
  '0xdead000000000000000042069420694206942069',
  `0x${'0'.repeat(39)}1`,
  `0x${'0'.repeat(39)}f`,
])('tokens would be lost at %s', (burnt) => {
  expect(decideWalletAddress(burnt, toChecksum)).toEqual({ ok: false, reason: 'burn_address' });
});

test.each([`0x${'0'.repeat(38)}10`, `0x0${'1'.repeat(39)}`, `0x${'1'.repeat(38)}00`])(
  '%s only looks like them',
  (address) => {
    expect(decideWalletAddress(address, toChecksum)).toEqual({ ok: true, address });
  },
);

test('a reserved address is refused in any letter case', () => {
  const reserved = new Set([known.toLowerCase()]);
  for (const input of [known, known.toLowerCase()])
    expect(decideWalletAddress(input, toChecksum, reserved)).toEqual({ ok: false, reason: 'reserved' });
  const [, other = ''] = VECTORS;
  expect(decideWalletAddress(other, toChecksum, reserved).ok).toBe(true);
});
