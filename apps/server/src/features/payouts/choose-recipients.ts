import { decimalToUnits } from '@copydesk/domain';
import { ApiError } from '../../platform/http/api-error.ts';
import { sumOf } from './payable-recipients.ts';

export interface Choice {
  /** Addresses in any case of letters, each with all its roles; undefined: all. */
  addresses?: readonly string[] | undefined;
  /** What the caller looked at, USDT. */
  expectedAmount?: string | undefined;
}

/**
 * The lines that a person has chosen out of those that can be paid.
 * @throws ApiError `nothing_pending`, or `recipients_changed` when they are not what the person saw
 */
export function chooseRecipients<L extends { address: string; units: bigint }>(
  lines: readonly L[],
  { addresses, expectedAmount }: Choice,
): L[] {
  if (lines.length === 0) throw new ApiError('nothing_pending');
  const wanted = addresses && new Set(addresses.map((address) => address.toLowerCase()));
  const chosen = wanted ? lines.filter(({ address }) => wanted.has(address.toLowerCase())) : [...lines];
  const found = new Set(chosen.map(({ address }) => address.toLowerCase()));
  const hasLostOne = wanted !== undefined && found.size < wanted.size;
  const isAnotherAmount = expectedAmount !== undefined && decimalToUnits(expectedAmount) !== sumOf(chosen);
  if (hasLostOne || isAnotherAmount) throw new ApiError('recipients_changed');
  return chosen;
}
