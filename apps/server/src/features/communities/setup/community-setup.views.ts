import { findExceededSplits } from '@copydesk/domain/invoices';
import type { CommunityFacts } from '@copydesk/domain/setup';
import { sql } from 'kysely';
import { isHeldChange } from '../../../core/transfers/addresses/held.views.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { communityInScope } from '../../../platform/db/scope-filter.ts';
import { findAccess } from '../../billing/subscriptions.views.ts';

/** Facts that the community's own rows do not contain. */
export interface CommunitySetUpOutside {
  now: Date;
  holdHours: number;
  /** Null: this server sells no subscriptions. */
  graceDays: number | null;
}

interface Provider {
  name: string;
  providerShare: string;
  address: string | null;
  isHeld: boolean;
}

interface Row extends Pick<CommunityFacts, 'hasWallet' | 'bot' | 'hasTrader'> {
  communityPercentage: string;
  address: string | null;
  hasCommunityReferrer: boolean;
  isAddressHeld: boolean;
  isReferrerHeld: boolean;
  providers: Provider[];
}

/** How far a community is set up. For super admins, who see everything. Null: there is no such community. */
export async function readCommunityFacts(
  tx: Tx,
  id: string,
  { now, holdHours, graceDays }: CommunitySetUpOutside,
): Promise<CommunityFacts | null> {
  const isHeld = (kind: string, owner: string) => sql`EXISTS (SELECT FROM payout_address_change a
    WHERE a.owner_kind = ${sql.lit(kind)} AND a.owner_id = ${sql.ref(owner)}::text AND ${isHeldChange('a', holdHours)})`;
  const { rows } = await sql<Row>`
    SELECT c.split_percentage::text AS "communityPercentage", c.external_wallet_address AS address,
      c.referrer_wallet_address IS NOT NULL AS "hasCommunityReferrer",
      c.internal_wallet_address IS NOT NULL AS "hasWallet",
      ${isHeld('community', 'c.id')} AS "isAddressHeld",
      ${isHeld('community_referrer', 'c.id')} AS "isReferrerHeld",
      (SELECT coalesce(json_agg(json_build_object('name', p.display_name,
          'providerShare', p.payment_split_percentage::text, 'address', p.payout_address,
          'isHeld', ${isHeld('provider', 'p.id')}) ORDER BY p.display_name, p.id), '[]')
        FROM community_provider l JOIN provider p ON p.id = l.provider_id AND p.is_active
        WHERE l.community_id = c.id AND l.is_active) AS providers,
      (SELECT json_build_object('isActive', b.is_active, 'problem', b.problem) FROM exchange_bot b
        WHERE b.community_id = c.id) AS bot,
      EXISTS (SELECT FROM trader t WHERE t.community_id = c.id) AS "hasTrader"
    FROM community c WHERE c.id = ${id} AND ${communityInScope(tx, 'c.id')}`.execute(tx.sql);
  const [row] = rows;
  if (!row) return null;
  const { communityPercentage, hasCommunityReferrer, hasWallet, bot, hasTrader, providers } = row;
  const exceeding = findExceededSplits({ communityPercentage, hasCommunityReferrer }, providers);
  const namesOf = (list: readonly Provider[]) => list.map(({ name }) => name);
  return {
    providers: namesOf(providers),
    exceeding: namesOf(exceeding),
    withoutAddress: [
      ...(row.address === null ? ['the community'] : []),
      ...namesOf(providers.filter(({ address }) => address === null)),
    ],
    held: [
      ...(row.address !== null && row.isAddressHeld ? ['the community'] : []),
      ...(hasCommunityReferrer && row.isReferrerHeld ? ['the referrer'] : []),
      ...namesOf(providers.filter(({ address, isHeld }) => address !== null && isHeld)),
    ],
    hasWallet,
    bot,
    subscription: graceDays === null ? null : (await findAccess(tx, id, { now, graceDays })).state,
    hasTrader,
  };
}
