export type WalletAddressRefusal =
  | 'malformed'
  | 'bad_checksum'
  | 'zero_address'
  | 'burn_address'
  | 'reserved';

/** Addresses to which tokens are sent to destroy them. */
const BURN_ADDRESSES: ReadonlySet<string> = new Set([
  '0x000000000000000000000000000000000000dead',
  '0xdead000000000000000042069420694206942069',
]);
/** Addresses below this one, except zero, are precompiled contracts of the chain. */
const FUNCTIONS_BELOW = 16n;

/**
 * Decides whether an address may receive money: EVM form, valid EIP-55 checksum when mixed case, not the zero address or
 * one where tokens are lost, and none of the reserved ones (the token itself, our own wallets).
 * @param toChecksum returns the EIP-55 form of a lower-case address; Keccak stays outside this package
 * @param reserved lower-case addresses that must never be paid
 */
export function decideWalletAddress(
  input: string,
  toChecksum: (lowerCase: `0x${string}`) => string,
  reserved: ReadonlySet<string> = new Set(),
): { ok: true; address: string } | { ok: false; reason: WalletAddressRefusal } {
  if (!/^0x[0-9a-fA-F]{40}$/.test(input)) return { ok: false, reason: 'malformed' };
  const lower = input.toLowerCase() as `0x${string}`;
  const digits = input.slice(2);
  const mixed = digits !== digits.toLowerCase() && digits !== digits.toUpperCase();
  const address = toChecksum(lower);
  if (mixed && input !== address) return { ok: false, reason: 'bad_checksum' };
  const value = BigInt(lower);
  if (value === 0n) return { ok: false, reason: 'zero_address' };
  if (BURN_ADDRESSES.has(lower) || value < FUNCTIONS_BELOW) return { ok: false, reason: 'burn_address' };
  if (reserved.has(lower)) return { ok: false, reason: 'reserved' };
  return { ok: true, address };
}
