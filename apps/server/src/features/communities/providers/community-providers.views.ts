import type { CallAnswer } from '@copydesk/contract';
import { type RawBuilder, sql } from 'kysely';
import type { AnyTx, Tx } from '../../../platform/db/database.ts';
import { byName } from '../../../platform/db/lists/list-query.ts';
import { communityInScope, providerInScope, traderInScope } from '../../../platform/db/scope-filter.ts';
import { linkVersion } from './community-providers.store.ts';

export type CommunityProvider = CallAnswer<'GET /api/communities/{id}/providers'>['data'][number];
type Reason =
  CallAnswer<'GET /api/communities/{id}/providers/{providerId}/can-remove'>['data']['reasons'][number];

/** The providers of a community, without removed ones, by display name. */
export function listCommunityProviders(tx: Tx, communityId: string): Promise<CommunityProvider[]> {
  return read(tx, communityId, sql`true`);
}

export async function findCommunityProvider(
  tx: Tx,
  communityId: string,
  providerId: string,
): Promise<CommunityProvider | null> {
  const [link] = await read(tx, communityId, sql`l.provider_id = ${providerId}`);
  return link ?? null;
}

async function read(
  tx: AnyTx,
  communityId: string,
  condition: RawBuilder<unknown>,
): Promise<CommunityProvider[]> {
  const { rows } = await sql<CommunityProvider>`
    SELECT l.provider_id, p.display_name, l.custom_display_name, l.is_active, p.is_active AS is_provider_active,
      p.payment_split_percentage::float8 AS payment_split_percentage, p.supported_exchanges,
      (SELECT count(*)::int FROM trader t WHERE t.community_id = l.community_id
        AND t.selected_provider_id = l.provider_id AND ${traderInScope(tx, 't.id')}) AS trader_count,
      (SELECT count(*)::int FROM exchange_account a JOIN trader t ON t.id = a.trader_id
        WHERE a.provider_id = l.provider_id AND t.community_id = l.community_id AND a.removed_at IS NULL
          AND ${providerInScope(tx, 'a.provider_id')}) AS account_count,
      app.iso(l.created_at) AS linked_at, ${linkVersion} AS version
    FROM community_provider l JOIN provider p ON p.id = l.provider_id
    WHERE l.community_id = ${communityId} AND l.removed_at IS NULL AND ${condition}
      AND ${providerInScope(tx, 'l.provider_id')} AND ${communityInScope(tx, 'l.community_id')}
    ORDER BY ${byName('p.display_name')}, p.id`.execute(tx.sql);
  return rows;
}

const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

/** What each reason says of its count. */
const MESSAGES: Record<Reason['code'], (count: number) => string> = {
  traders: (count) => `${plural(count, 'trader has', 'traders have')} selected it`,
  accounts: (count) => `${plural(count, 'exchange account is', 'exchange accounts are')} connected under it`,
  open_invoices: (count) => `${plural(count, 'invoice is', 'invoices are')} open`,
  unpaid_shares: (count) => `${plural(count, 'share is', 'shares are')} not paid out yet`,
  last_provider: () => 'It is the only provider that traders of the community can choose',
};

/** What in a community still uses a provider; nothing: its link can be removed. For super admins. */
export async function listUses(tx: Tx, communityId: string, providerId: string): Promise<Reason[]> {
  const { rows } = await sql<{ code: Reason['code']; count: number }>`
    SELECT u.code, u.count FROM (VALUES
      (1, 'traders', (SELECT count(*)::int FROM trader t
        WHERE t.community_id = ${communityId} AND t.selected_provider_id = ${providerId}
          AND ${traderInScope(tx, 't.id')})),
      (2, 'accounts', (SELECT count(*)::int FROM exchange_account a JOIN trader t ON t.id = a.trader_id
        WHERE t.community_id = ${communityId} AND a.provider_id = ${providerId} AND a.removed_at IS NULL
          AND ${providerInScope(tx, 'a.provider_id')})),
      (3, 'open_invoices', (SELECT count(*)::int FROM invoice i
        WHERE i.community_id = ${communityId} AND i.provider_id = ${providerId} AND i.status = 'pending'
          AND ${providerInScope(tx, 'i.provider_id')})),
      (4, 'unpaid_shares', (SELECT count(*)::int FROM payable y
        WHERE y.community_id = ${communityId} AND y.provider_id = ${providerId} AND y.paid_at IS NULL
          AND y.settled_at IS NULL AND ${providerInScope(tx, 'y.provider_id')})),
      (5, 'last_provider', (SELECT count(*)::int FROM community c
        WHERE c.id = ${communityId} AND NOT c.is_archived AND ${communityInScope(tx, 'c.id')}
          AND EXISTS (SELECT FROM trader t WHERE t.community_id = c.id)
          AND NOT EXISTS (SELECT FROM community_provider o WHERE o.community_id = c.id
            AND o.provider_id <> ${providerId} AND o.is_active)))
    ) u (place, code, count) WHERE u.count > 0 ORDER BY u.place`.execute(tx.sql);
  return rows.map(({ code, count }) => ({ code, count, message: MESSAGES[code](count) }));
}

/** Whether invoices name both: then payouts of the provider's staff name the community. */
export async function hasHistory(tx: Tx, communityId: string, providerId: string): Promise<boolean> {
  const { rows } = await sql<{ has_history: boolean }>`
    SELECT EXISTS (SELECT FROM invoice i WHERE i.community_id = ${communityId} AND i.provider_id = ${providerId}
      AND ${providerInScope(tx, 'i.provider_id')}) AS has_history`.execute(tx.sql);
  return rows[0]?.has_history ?? false;
}
