import type { CallAnswer } from '@copydesk/contract';
import { sql } from 'kysely';
import type { PayoutRules } from '../../core/settings/payout-rules.ts';
import { changeColumns } from '../../core/transfers/addresses/held.views.ts';
import { type ApproverRules, readApprovers } from '../../core/transfers/orders/approvers.views.ts';
import { seenVersion } from '../../platform/audit/seen-version.ts';
import type { Tx } from '../../platform/db/database.ts';

type Recipient = CallAnswer<'GET /api/platform-settings/recipients'>['data'][number];
export type PendingByType = Record<string, string>;
type Rules = ApproverRules & { rules: Pick<PayoutRules, 'addressHoldHours'> };

/** The version of the address of a recipient `r`. */
export const recipientVersion = seenVersion<'PUT /api/platform-settings/recipients/{type}'>({
  address: sql`r.address`,
});

/** USDT that waits for each of the platform's recipients, ordered shares excluded. It reads every pending share. */
export async function sumPending(tx: Tx): Promise<PendingByType> {
  const { rows } = await sql<{ type: string; usdt: string }>`
    SELECT y.recipient_type AS type, trim_scale(sum(y.amount_units) / 1e18)::text AS usdt FROM payable y
    WHERE y.payout_id IS NULL AND y.settled_at IS NULL AND y.recipient_type IN ('hexmount', 'sixk', 'tip')
    GROUP BY y.recipient_type`.execute(tx.sql);
  return Object.fromEntries(rows.map(({ type, usdt }) => [type, usdt]));
}

export async function listRecipients(
  tx: Tx,
  deps: Rules,
  callerId: string,
  pending: PendingByType,
): Promise<Recipient[]> {
  const { addressHoldHours: holdHours } = deps.rules;
  const { rows } = await sql<Omit<Recipient, 'pending' | 'can_release'> & { changed_by_id: string | null }>`
    SELECT r.recipient_type, r.address, ${recipientVersion} AS version,
      ${changeColumns('a', holdHours, sql`r.address IS NOT NULL AND a.id IS NOT NULL`)}
    FROM platform_recipient r
    LEFT JOIN payout_address_change a ON a.owner_kind = 'platform' AND a.owner_id = r.recipient_type
    ORDER BY r.recipient_type`.execute(tx.sql);
  const authors = rows.flatMap(({ change_id, changed_by_id }) =>
    change_id && changed_by_id ? changed_by_id : [],
  );
  const refusalOf = await readApprovers(tx, deps, callerId, [...new Set(authors)]);
  return rows.map(({ changed_by_id, ...row }) => ({
    ...row,
    pending: pending[row.recipient_type] ?? '0',
    can_release: row.change_id !== null && changed_by_id !== null && refusalOf(changed_by_id) === null,
  }));
}
