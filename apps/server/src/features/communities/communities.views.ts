import type { CallAnswer } from '@copydesk/contract';
import { BUSINESS_DEFAULTS } from '@copydesk/domain/settings';
import { type RawBuilder, sql } from 'kysely';
import type { AnyTx, Tx } from '../../platform/db/database.ts';
import { byName, containing, escaped } from '../../platform/db/lists/list-query.ts';
import { communityInScope, providerInScope } from '../../platform/db/scope-filter.ts';
import { type FindNamed, type FoundRow, typedId } from '../../platform/http/search-source.ts';
import { communityVersion } from './communities.store.ts';
import type { CommunitySums } from './community-sums.views.ts';
import type { Token } from './external-balances/external-balances.store.ts';

type AdminCommunity = CallAnswer<'GET /api/super-admin/communities'>['data'][number];
type Detail = CallAnswer<'GET /api/communities/{id}'>['data'];

/** The columns of a community's own row; its figures come from elsewhere. */
export type CommunityRow = Omit<CallAnswer<'GET /api/communities'>['data'][number], keyof CommunitySums>;
export type CommunitySettings = Omit<AdminCommunity, keyof CommunitySums>;
type SplitTerms = Required<Pick<Detail, 'trader_referral_percentage' | 'providers'>>;

const NO_PROVIDER = {
  id: null,
  display_name: 'No provider',
  payment_split_percentage: Number(BUSINESS_DEFAULTS.unknownProviderShare),
};

const named = sql`c.id, c.name, c.is_archived, app.iso(c.created_at) AS created_at`;

/**
 * The balance of our own wallet comes from the books; the external one is the last reading from the chain, only for its
 * present address.
 */
const settings = ({
  chainId,
  tokenAddress,
}: Token) => sql`${named}, c.minimum_balance::float8 AS minimum_balance,
  c.split_percentage::float8 AS split_percentage, c.referrer_wallet_address, c.external_wallet_address,
  ${communityVersion} AS version, json_build_object('name', c.owner_name, 'telegram_id', c.owner_telegram_id::text, 'language', c.owner_language)
    AS owner,
  json_build_object(
    'internal', json_build_object('address', c.internal_wallet_address,
      'balance', trim_scale(coalesce(b.posted, 0) * 0.000000000000000001)::text),
    'external', json_build_object('address', c.external_wallet_address,
      'balance', trim_scale(e.balance_units * 0.000000000000000001)::text,
      'balance_read_at', app.iso(e.read_at),
      'balance_missing', CASE WHEN c.external_wallet_address IS NULL THEN 'no_address'
        WHEN e.community_id IS NOT NULL THEN NULL
        WHEN EXISTS (SELECT FROM chain_cursor r
          WHERE r.chain_id = ${chainId} AND r.token_address = ${tokenAddress}) THEN 'not_read'
        ELSE 'no_chain' END)) AS wallets`;
const withWallets = ({ chainId, tokenAddress }: Token) => sql`FROM community c
  LEFT JOIN ledger_account a ON a.kind = 'community_wallet' AND a.owner_id = c.id AND a.asset = 'USDT'
  LEFT JOIN ledger_balance b ON b.account_id = a.id
  LEFT JOIN community_external_balance e ON e.community_id = c.id AND e.chain_id = ${chainId}
    AND e.token_address = ${tokenAddress} AND e.address = lower(c.external_wallet_address)`;

export async function listCommunities(tx: AnyTx): Promise<CommunityRow[]> {
  const { rows } = await sql<CommunityRow>`
    SELECT ${named} FROM community c WHERE ${communityInScope(tx, 'c.id')} ORDER BY ${byName('c.name')}, c.id`.execute(
    tx.sql,
  );
  return rows;
}

/** Communities by a part of their name, or whole by their id or an address of theirs. */
export const findNamedCommunities: FindNamed = async (tx, text, most) => {
  const needle = text.toLowerCase();
  const { rows } = await sql<FoundRow>`
    SELECT c.id, c.name AS title, CASE WHEN c.is_archived THEN 'Archived' END AS note, NULL AS amount, NULL AS status,
      NULL AS at, coalesce(${needle} = ANY (ARRAY[lower(c.name), c.id::text, lower(c.internal_wallet_address),
        lower(c.external_wallet_address)]), false) AS is_exact
    FROM community c
    WHERE ${communityInScope(tx, 'c.id')} AND (lower(c.name) LIKE ${containing(needle)} OR c.id = ${typedId(text)}::uuid
      OR ${needle} IN (lower(c.internal_wallet_address), lower(c.external_wallet_address)))
    ORDER BY is_exact DESC, c.is_archived, lower(c.name) LIKE ${`${escaped(needle)}%`} DESC, ${byName('c.name')}, c.id
    LIMIT ${most}`.execute(tx.sql);
  return rows;
};

export async function findCommunity(tx: AnyTx, id: string): Promise<CommunityRow | null> {
  const { rows } = await sql<CommunityRow>`
    SELECT ${named} FROM community c WHERE c.id = ${id} AND ${communityInScope(tx, 'c.id')}`.execute(tx.sql);
  return rows[0] ?? null;
}

const owesShares = sql`EXISTS (SELECT FROM payable y
  WHERE y.community_id = c.id AND y.paid_at IS NULL AND y.settled_at IS NULL)`;

/** With settings, ordered by name. Archived ones only where they are included, or still owe shares. */
export function listSettings(
  tx: AnyTx,
  token: Token,
  { isArchivedIncluded }: { isArchivedIncluded: boolean },
): Promise<CommunitySettings[]> {
  return readSettings(tx, token, isArchivedIncluded ? sql`true` : sql`(NOT c.is_archived OR ${owesShares})`);
}

export async function findSettings(tx: Tx, token: Token, id: string): Promise<CommunitySettings | null> {
  const [row] = await readSettings(tx, token, sql`c.id = ${id}`);
  return row ?? null;
}

async function readSettings(
  tx: AnyTx,
  token: Token,
  condition: RawBuilder<unknown>,
): Promise<CommunitySettings[]> {
  const { rows } = await sql<CommunitySettings>`
    SELECT ${settings(token)}, ${owesShares} AS owes_shares ${withWallets(token)}
    WHERE ${condition} AND ${communityInScope(tx, 'c.id')} ORDER BY ${byName('c.name')}, c.id`.execute(
    tx.sql,
  );
  return rows;
}

/**
 * All providers that the traders of a community may be invoiced for: its linked providers, other providers that its
 * traders selected, and none for traders without a selection. By name, none last.
 */
export async function findSplitTerms(tx: Tx, id: string): Promise<SplitTerms | null> {
  const { rows } = await sql<SplitTerms & { has_unknown: boolean }>`
    SELECT trim_scale(c.trader_referral_percentage)::text AS trader_referral_percentage,
      (SELECT coalesce(json_agg(json_build_object('id', p.id, 'display_name', p.display_name,
          'payment_split_percentage', trim_scale(p.payment_split_percentage)) ORDER BY ${byName('p.display_name')}, p.id), '[]')
        FROM provider p WHERE ${providerInScope(tx, 'p.id')} AND p.id IN (
          SELECT l.provider_id FROM community_provider l WHERE l.community_id = c.id AND l.removed_at IS NULL
          UNION SELECT t.selected_provider_id FROM trader t WHERE t.community_id = c.id)) AS providers,
      EXISTS (SELECT FROM trader t WHERE t.community_id = c.id AND t.selected_provider_id IS NULL) AS has_unknown
    FROM community c WHERE c.id = ${id} AND ${communityInScope(tx, 'c.id')}`.execute(tx.sql);
  const [row] = rows;
  if (!row) return null;
  const { has_unknown, providers, ...terms } = row;
  return { ...terms, providers: has_unknown ? [...providers, NO_PROVIDER] : providers };
}
