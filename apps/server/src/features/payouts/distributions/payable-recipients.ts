import type { RecipientType } from '@copydesk/domain/catalogue';
import { decideWalletAddress, decimalToUnits } from '@copydesk/domain/money';
import { checksum } from 'ox/Address';
import type { Tx } from '../../../platform/db/database.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { findOwnAddresses } from '../addresses/own-addresses.views.ts';
import type { Hold, PendingLine } from '../pending-shares.views.ts';
import type { PayoutSettings } from '../plan-deps.ts';

/** A line with an address that may be paid, in its EIP-55 form. */
export type Addressed<L extends PendingLine> = L & { address: string };

/** A line that cannot be paid now. */
export type Held<L extends PendingLine> = Addressed<L> & { hold: Hold };

export interface Recipients<L extends PendingLine> {
  recipients: Addressed<L>[];
  /** Lines with an address that wait for something else. */
  held: Held<L>[];
  /** Shares without an address or with one that must not be paid, by role. */
  unaddressed: { recipientType: RecipientType; units: bigint; payableCount: number }[];
}

/**
 * Separates payable lines from those that are held or have no valid address. The zero address, the token and our own
 * wallets are never paid.
 */
export async function sortByAddress<L extends PendingLine>(
  tx: Tx,
  { chainId, tokenAddress }: PayoutSettings,
  lines: readonly L[],
): Promise<Recipients<L>> {
  const written = new Map<string, string>();
  for (const { address } of lines)
    if (address !== null && !written.has(address)) written.set(address, checksum(address as `0x${string}`));
  const reserved = await findOwnAddresses(tx, chainId, [...written.values()]);
  reserved.add(tokenAddress.toLowerCase());
  const recipients: Addressed<L>[] = [];
  const held: Held<L>[] = [];
  const unpayable: L[] = [];
  for (const line of lines) {
    const verdict = decideWalletAddress(
      line.address ?? '',
      (lower) => written.get(lower) ?? checksum(lower),
      reserved,
    );
    if (!verdict.ok) unpayable.push(line);
    else if (line.hold) held.push({ ...line, address: verdict.address, hold: line.hold });
    else recipients.push({ ...line, address: verdict.address });
  }
  return { recipients, held, unaddressed: byRole(unpayable) };
}

function byRole(lines: readonly PendingLine[]): Recipients<PendingLine>['unaddressed'] {
  const roles = new Map<RecipientType, { units: bigint; payableCount: number }>();
  for (const { recipientType, units, payableCount } of lines) {
    const before = roles.get(recipientType) ?? { units: 0n, payableCount: 0 };
    roles.set(recipientType, {
      units: before.units + units,
      payableCount: before.payableCount + payableCount,
    });
  }
  return [...roles].map(([recipientType, sum]) => ({ recipientType, ...sum }));
}

/** The sum of these lines, in base units. */
export const sumOf = (lines: readonly { units: bigint }[]): bigint =>
  lines.reduce((sum, { units }) => sum + units, 0n);

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
