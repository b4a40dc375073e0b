import type { CallAnswer } from '@copydesk/contract';
import { supportsExchange } from '@copydesk/domain/catalogue';
import { type RawBuilder, sql } from 'kysely';
import type { AnyTx, Tx } from '../../platform/db/database.ts';
import { byName, containing, escaped } from '../../platform/db/lists/list-query.ts';
import { communityInScope, providerInScope } from '../../platform/db/scope-filter.ts';
import { type FindNamed, type FoundRow, typedId } from '../../platform/http/search-source.ts';
import { providerVersion } from './providers.store.ts';

export type Provider = CallAnswer<'POST /api/providers'>['data'];
type Listed = CallAnswer<'GET /api/providers'>['data'][number];
type LinkedCommunity = CallAnswer<'GET /api/providers/{id}/communities'>['data'][number];
type ProviderExchange = CallAnswer<'GET /api/providers/{id}/exchanges'>['data'][number];

const listed = sql`p.id, p.name, p.display_name, p.payment_split_percentage::float8 AS payment_split_percentage,
  p.supported_exchanges, p.is_active, p.invoicing_enabled`;
const settings = sql`p.payout_address, p.minimum_commission_rate::float8 AS minimum_commission_rate,
  p.telegram_admin_channel_id, p.reveal_super_only, app.iso(p.created_at) AS created_at,
  app.iso(p.updated_at) AS updated_at, ${providerVersion} AS version`;

/** @param isActive only active or only inactive ones; both when omitted */
export async function listProviders(tx: AnyTx, isActive?: boolean): Promise<Listed[]> {
  const { rows } = await sql<Listed>`
    SELECT ${listed} FROM provider p
    WHERE ${providerInScope(tx, 'p.id')} AND (${isActive ?? null}::boolean IS NULL OR p.is_active = ${isActive ?? null})
    ORDER BY ${byName('p.display_name')}, p.id`.execute(tx.sql);
  return rows;
}

/** Providers by a part of their names, or whole by their id or payout address. */
export const findNamedProviders: FindNamed = async (tx, text, most) => {
  const needle = text.toLowerCase();
  const { rows } = await sql<FoundRow>`
    SELECT p.id, p.display_name AS title, concat_ws(' · ', p.name, CASE WHEN NOT p.is_active THEN 'Inactive' END) AS note,
      NULL AS amount, NULL AS status, NULL AS at,
      coalesce(${needle} = ANY (ARRAY[lower(p.name), lower(p.display_name), p.id::text, lower(p.payout_address)]), false) AS is_exact
    FROM provider p
    WHERE ${providerInScope(tx, 'p.id')} AND (lower(p.name) LIKE ${containing(needle)}
      OR lower(p.display_name) LIKE ${containing(needle)} OR p.id = ${typedId(text)}::uuid
      OR lower(p.payout_address) = ${needle})
    ORDER BY is_exact DESC, lower(p.display_name) LIKE ${`${escaped(needle)}%`} DESC, ${byName('p.display_name')}, p.id
    LIMIT ${most}`.execute(tx.sql);
  return rows;
};

/** A provider in scope; null: none. */
export async function findProvider(tx: AnyTx, id: string): Promise<Listed | null> {
  return find<Listed>(tx, id, listed);
}

/** The same with its settings, for super admins. */
export async function findProviderSettings(tx: Tx, id: string): Promise<Provider | null> {
  return find<Provider>(tx, id, sql`${listed}, ${settings}`);
}

async function find<Row>(tx: AnyTx, id: string, columns: RawBuilder<unknown>): Promise<Row | null> {
  const { rows } = await sql<Row>`
    SELECT ${columns} FROM provider p WHERE p.id = ${id} AND ${providerInScope(tx, 'p.id')}`.execute(tx.sql);
  return rows[0] ?? null;
}

/** The communities of a provider in scope, active ones first, then by name. */
export async function listLinkedCommunities(
  tx: Tx,
  providerId: string,
): Promise<Required<LinkedCommunity>[]> {
  const { rows } = await sql<Required<LinkedCommunity>>`
    SELECT c.id, c.name, c.is_archived, l.custom_display_name, l.is_active,
      coalesce(s.traders, 0) AS trader_count, trim_scale(coalesce(s.aum, 0))::text AS total_aum,
      c.split_percentage::float8 AS split_percentage, c.referrer_wallet_address IS NOT NULL AS has_referrer
    FROM community_provider l JOIN community c ON c.id = l.community_id
    LEFT JOIN (SELECT t.community_id, count(*)::int AS traders, sum(t.aum) AS aum FROM trader_provider t
      WHERE t.provider_id = ${providerId} AND ${providerInScope(tx, 't.provider_id')} GROUP BY t.community_id) s
      ON s.community_id = c.id
    WHERE l.provider_id = ${providerId} AND l.removed_at IS NULL AND ${providerInScope(tx, 'l.provider_id')}
      AND ${communityInScope(tx, 'c.id')}
    ORDER BY c.is_archived, lower(c.name), c.id`.execute(tx.sql);
  return rows;
}

/** Every exchange, in the order of the catalogue; null: no provider in scope. */
export async function listProviderExchanges(
  tx: AnyTx,
  providerId: string,
): Promise<ProviderExchange[] | null> {
  const provider = await findProvider(tx, providerId);
  if (!provider) return null;
  const { rows } = await sql<Omit<ProviderExchange, 'is_supported'>>`
    SELECT e.id AS exchange, count(a.id)::int AS accounts,
      (count(*) FILTER (WHERE a.read_error IS NOT NULL))::int AS failing,
      (count(*) FILTER (WHERE a.id IS NOT NULL AND a.equity_read_at IS NULL AND a.read_error IS NULL))::int AS unread
    FROM exchange e LEFT JOIN exchange_account a ON a.exchange = e.id AND a.provider_id = ${providerId}
      AND a.removed_at IS NULL AND ${providerInScope(tx, 'a.provider_id')}
    GROUP BY e.id ORDER BY e.id`.execute(tx.sql);
  return rows.map((row) => ({
    ...row,
    is_supported: supportsExchange(provider.supported_exchanges, row.exchange),
  }));
}
