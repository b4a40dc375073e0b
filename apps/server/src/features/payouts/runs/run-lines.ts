import { createHash } from 'node:crypto';
import type { CallAnswer } from '@copydesk/contract';
import type { RecipientType } from '@copydesk/domain/catalogue';
import { unitsToDecimal } from '@copydesk/domain/money';

/** What a run pays to one recipient in one role. */
export interface RunLine {
  communityId: string;
  /** In any letter case. */
  address: string;
  recipientType: RecipientType;
  units: bigint;
}

/**
 * The fingerprint of what a run pays to whom, whatever the order of its lines: its author and its approver name it, and
 * a run that has another is refused. SHA-256 in hex.
 */
export function seenOf(lines: readonly RunLine[]): string {
  const written = lines.map(({ communityId, address, recipientType, units }) =>
    [communityId, address.toLowerCase(), recipientType, units].join(' '),
  );
  return createHash('sha256').update(written.toSorted().join('\n')).digest('hex');
}

type ShownLine = CallAnswer<'GET /api/super-admin/payout-runs/{id}/lines'>['data']['lines'][number];

export const lineJson = ({
  communityId,
  address,
  recipientType,
  units,
  payableCount,
}: RunLine & { payableCount: number }): ShownLine => ({
  community_id: communityId,
  recipientAddress: address,
  recipientType,
  amount: unitsToDecimal(units),
  payableCount,
});
