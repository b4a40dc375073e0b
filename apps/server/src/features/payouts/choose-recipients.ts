import { decimalToUnits } from '@copydesk/domain/money';
import { ApiError } from '../../platform/http/api-error.ts';
import { sumOf } from './payable-recipients.ts';

export interface Choice {
  /** Addresses in any letter case, each with all its roles; undefined: all. */
  addresses?: readonly string[] | undefined;
  /** The amount that the caller saw, USDT. */
  expectedAmount?: string | undefined;
}

/**
 * Returns the chosen lines among those that can be paid.
 * @throws ApiError `nothing_pending`, or `recipients_changed` when they differ from the lines the caller saw
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
