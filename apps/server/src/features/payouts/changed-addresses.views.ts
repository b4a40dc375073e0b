import type { CallAnswer } from '@copydesk/contract';
import { type RawBuilder, sql } from 'kysely';
import { type ApproverRules, readApprovers } from '../../core/people/approvers.views.ts';
import type { PayoutRules } from '../../core/settings/payout-rules.ts';
import type { Tx } from '../../platform/db/database.ts';
import { communityInScope, providerInScope } from '../../platform/db/scope-filter.ts';

type OfCommunity = CallAnswer<'GET /api/super-admin/communities/{id}/payout-addresses'>['data'][number];
type OfProvider = NonNullable<CallAnswer<'GET /api/super-admin/providers/{id}/payout-address'>['data']>;
type Rules = ApproverRules & { rules: Pick<PayoutRules, 'addressHoldHours'> };

/** The changed payout addresses of a community, when each was changed, and when it becomes payable. */
export function listChangedAddresses(
  tx: Tx,
  deps: Rules,
  communityId: string,
  callerId: string,
): Promise<OfCommunity[]> {
  return readChanged<OfCommunity>(tx, deps, callerId, {
    columns: sql`a.owner_kind AS recipient_type,`,
    owner: sql`community c ON c.id = ${communityId} AND a.owner_id = c.id::text
      AND a.owner_kind IN ('community', 'community_referrer') AND ${communityInScope(tx, 'c.id')}`,
  });
}

/** The same of a provider; null: its address never changed. */
export async function findChangedAddress(
  tx: Tx,
  deps: Rules,
  providerId: string,
  callerId: string,
): Promise<OfProvider | null> {
  const [changed] = await readChanged<OfProvider>(tx, deps, callerId, {
    columns: sql``,
    owner: sql`provider p ON p.id = ${providerId} AND a.owner_id = p.id::text AND a.owner_kind = 'provider'
      AND ${providerInScope(tx, 'p.id')}`,
  });
  return changed ?? null;
}

async function readChanged<Changed extends OfProvider>(
  tx: Tx,
  deps: Rules,
  callerId: string,
  { columns, owner }: { columns: RawBuilder<unknown>; owner: RawBuilder<unknown> },
): Promise<Changed[]> {
  const { rows } = await sql<Changed & { changed_by_id: string }>`
    SELECT ${columns} a.address, app.iso(a.changed_at) AS changed_at, a.released_by,
      CASE WHEN held.is_held THEN app.iso(held.until) END AS payable_from,
      CASE WHEN held.is_held THEN a.id END AS change_id, a.changed_by_id
    FROM payout_address_change a
    JOIN ${owner}
    CROSS JOIN LATERAL (SELECT a.changed_at + make_interval(hours => ${deps.rules.addressHoldHours}::int) AS until) h
    CROSS JOIN LATERAL (SELECT h.until, a.released_at IS NULL AND h.until > now() AS is_held) held
    ORDER BY a.owner_kind`.execute(tx.sql);
  const authors = rows.flatMap(({ change_id, changed_by_id }) => (change_id ? changed_by_id : []));
  const refusalOf = await readApprovers(tx, deps, callerId, [...new Set(authors)]);
  return rows.map(({ changed_by_id, ...row }) => ({
    ...(row as unknown as Changed),
    can_release: row.change_id !== null && refusalOf(changed_by_id) === null,
  }));
}
