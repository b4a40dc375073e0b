import type { CallAnswer } from '@copydesk/contract';
import { type RawBuilder, sql } from 'kysely';
import type { PayoutRules } from '../../../core/settings/payout-rules.ts';
import {
  authorOf,
  chainOf,
  changeColumns,
  payableFrom,
  setBy,
  wordOn,
} from '../../../core/transfers/addresses/held.views.ts';
import { type ApproverRules, readApprovers } from '../../../core/transfers/orders/approvers.views.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { communityInScope, providerInScope } from '../../../platform/db/scope-filter.ts';
import { ownerName } from './owners.views.ts';

type OfCommunity = CallAnswer<'GET /api/super-admin/communities/{id}/payout-addresses'>['data'][number];
type OfProvider = NonNullable<CallAnswer<'GET /api/super-admin/providers/{id}/payout-address'>['data']>;
type Waiting = CallAnswer<'GET /api/super-admin/payout-addresses'>['data'][number];
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
  const { addressHoldHours: holdHours } = deps.rules;
  const { rows } = await sql<Changed & { changed_by_id: string }>`
    SELECT ${columns} a.address, a.released_by, ${changeColumns('a', holdHours)}, ${chainOf('a.address')} AS chain
    FROM payout_address_change a
    JOIN ${owner}
    ORDER BY a.owner_kind`.execute(tx.sql);
  const authors = rows.flatMap(({ change_id, changed_by_id }) => (change_id ? changed_by_id : []));
  const refusalOf = await readApprovers(tx, deps, callerId, [...new Set(authors)]);
  return rows.map(({ changed_by_id, ...row }) => ({
    ...(row as unknown as Changed),
    can_release: row.change_id !== null && refusalOf(changed_by_id) === null,
  }));
}

/** An id in a column of `a` where it is about a referrer: compared as a uuid, it is found by its index. */
const idOfReferrer = (column: string) =>
  sql`CASE WHEN a.owner_kind = 'trader_referrer' THEN ${sql.ref(column)}::uuid END`;

/** The addresses that wait for a release, the newest first, or one change. For super admins, who see every row. */
export async function listWaitingAddresses(
  tx: Tx,
  deps: Rules,
  callerId: string,
  { limit, offset, changeId }: { limit: number; offset: number; changeId?: string | undefined },
): Promise<{ data: Waiting[]; total: number }> {
  const { addressHoldHours: holdHours } = deps.rules;
  // A referrer that was removed since receives nothing.
  const stillRefers = sql`SELECT true FROM trader t
    WHERE t.id = ${idOfReferrer('a.owner_id')} AND t.referred_by_trader_id = ${idOfReferrer('a.address')}`;
  const waiting = (isReferrer: RawBuilder<unknown>) => sql`payout_address_change a
    WHERE a.released_at IS NULL AND a.address IS NOT NULL AND (a.owner_kind <> 'trader_referrer' OR ${isReferrer})
      ${changeId ? sql`AND a.id = ${changeId}` : sql``}`;
  const { rows } = await sql<Omit<Waiting, 'refusal' | 'can_release'> & { changed_by_id: string }>`
    SELECT a.id AS change_id, a.owner_kind, coalesce(${ownerName(sql`a.owner_kind`, sql`a.owner_id`)}, 'removed') AS owner,
      CASE WHEN a.owner_kind = 'trader_referrer' THEN coalesce(${ownerName(sql`'trader'`, sql`a.address`)}, 'a trader') END AS referrer,
      place.address,
      CASE WHEN a.owner_kind <> 'trader_referrer' THEN a.previous_address END AS previous_address, app.iso(a.changed_at) AS changed_at, app.iso(${payableFrom('a', holdHours)}) AS payable_from,
      ${chainOf('place.address')} AS chain, true AS awaits_release, NULL AS released_by, ${wordOn('a')} AS owner_word,
      ${authorOf('a')} AS changed_by_id,
      ${setBy('a')} AS changed_by
    -- One value a row: with EXISTS, PostgreSQL reads all traders for a page of 25.
    FROM (SELECT a.* FROM ${waiting(sql`coalesce((${stillRefers}), false)`)}
      ORDER BY a.changed_at DESC, a.id LIMIT ${limit} OFFSET ${offset}) a
    CROSS JOIN LATERAL (SELECT CASE WHEN a.owner_kind = 'trader_referrer' THEN (SELECT r.external_wallet_address
      FROM trader r WHERE r.id = ${idOfReferrer('a.address')}) ELSE a.address END AS address) place
    ORDER BY a.changed_at DESC, a.id`.execute(tx.sql);
  const { rows: counted } = await sql<{ total: number }>`
    SELECT count(*)::int AS total FROM ${waiting(sql`EXISTS (${stillRefers})`)}`.execute(tx.sql);
  const refusalOf = await readApprovers(tx, deps, callerId, [
    ...new Set(rows.map(({ changed_by_id }) => changed_by_id)),
  ]);
  return {
    data: rows.map(({ changed_by_id, ...row }) => {
      const refusal = refusalOf(changed_by_id)?.message ?? null;
      return { ...row, refusal, can_release: refusal === null };
    }),
    total: counted[0]?.total ?? 0,
  };
}
