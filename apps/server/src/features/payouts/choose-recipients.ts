import { decimalToUnits } from '@copydesk/domain/money';
import { Refusal } from '../../platform/refusal.ts';
import { sumOf } from './payable-recipients.ts';

export interface Choice {
  /** Addresses in any letter case, each with all its roles; undefined: all. */
  addresses?: readonly string[] | undefined;
  /** The amount that the caller saw, USDT. */
  expectedAmount?: string | undefined;
}

/**
 * Returns the chosen lines among those that can be paid.
 * @throws Refusal `nothing_pending`, or `recipients_changed` when they differ from the lines the caller saw
 */
export function chooseRecipients<L extends { address: string; units: bigint }>(
  lines: readonly L[],
  { addresses, expectedAmount }: Choice,
): L[] {
  if (lines.length === 0) throw new Refusal('nothing_pending');
  const wanted = addresses && new Set(addresses.map((address) => address.toLowerCase()));
  const chosen = wanted ? lines.filter(({ address }) => wanted.has(address.toLowerCase())) : [...lines];
  const found = new Set(chosen.map(({ address }) => address.toLowerCase()));
  const hasLostOne = wanted !== undefined && found.size < wanted.size;
  const isAnotherAmount = expectedAmount !== undefined && decimalToUnits(expectedAmount) !== sumOf(chosen);
  if (hasLostOne || isAnotherAmount) throw new Refusal('recipients_changed');
  return chosen;
}
