import type { CallAnswer } from '@copydesk/contract';
import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { communityInScope } from '../../platform/db/scope-filter.ts';
import { type ApproverRules, readApprovers } from '../identity/approvers.views.ts';

type Listed = CallAnswer<'GET /api/super-admin/communities/{id}/payout-addresses'>['data'][number];
type Row = Omit<Listed, 'can_release'> & { changed_by_id: string };

/** The changed payout addresses of a community, when each was changed, and when it becomes payable. */
export async function listChangedAddresses(
  tx: Tx,
  rules: ApproverRules & { addressHoldHours: number },
  communityId: string,
  callerId: string,
): Promise<Listed[]> {
  const { rows } = await sql<Row>`
    SELECT a.owner_kind AS recipient_type, a.address, app.iso(a.changed_at) AS changed_at, a.released_by,
      CASE WHEN held.is_held THEN app.iso(held.until) END AS payable_from,
      CASE WHEN held.is_held THEN a.id END AS change_id, a.changed_by_id
    FROM payout_address_change a
    JOIN community c ON c.id = ${communityId} AND a.owner_id = c.id::text
    CROSS JOIN LATERAL (SELECT a.changed_at + make_interval(hours => ${rules.addressHoldHours}::int) AS until) h
    CROSS JOIN LATERAL (SELECT h.until, a.released_at IS NULL AND h.until > now() AS is_held) held
    WHERE a.owner_kind IN ('community', 'community_referrer') AND ${communityInScope(tx, 'c.id')}
    ORDER BY a.owner_kind`.execute(tx.sql);
  const authors = rows.flatMap(({ change_id, changed_by_id }) => (change_id ? changed_by_id : []));
  const refusalOf = await readApprovers(tx, rules, callerId, [...new Set(authors)]);
  return rows.map(({ changed_by_id, ...row }) => ({
    ...row,
    can_release: row.change_id !== null && refusalOf(changed_by_id) === null,
  }));
}
