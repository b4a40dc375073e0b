import { decideWalletAddress, type WalletAddressRefusal } from '@copydesk/domain/money';
import { checksum } from 'ox/Address';
import { Refusal } from '../refusal.ts';

const REASONS: Record<WalletAddressRefusal, string> = {
  malformed: 'Invalid input: not an EVM address',
  bad_checksum: 'Invalid input: the checksum of the address is wrong',
  zero_address: 'Invalid input: the zero address cannot be paid',
  burn_address: 'Invalid input: what is paid to this address is lost',
  reserved: 'Invalid input: this address belongs to the platform',
};

/**
 * The address in its checksummed form.
 * @throws Refusal `validation_failed` with the reason
 */
export function checkedWalletAddress(path: string, input: string): string {
  const verdict = decideWalletAddress(input, (lowerCase) => checksum(lowerCase));
  if (verdict.ok) return verdict.address;
  throw refusedWalletAddress(path, verdict.reason);
}

/** The validation error for a refused address. */
export function refusedWalletAddress(path: string, reason: WalletAddressRefusal): Refusal {
  const message = REASONS[reason];
  return new Refusal('validation_failed', { message: `${path}: ${message}`, details: [{ path, message }] });
}
