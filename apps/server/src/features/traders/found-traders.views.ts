import type { Scope } from '@copydesk/domain/access';
import { type RawBuilder, sql } from 'kysely';
import { isOwed } from '../../core/traders/owed-invoices.ts';
import type { AnyTx, Database } from '../../platform/db/database.ts';
import { escaped } from '../../platform/db/lists/list-query.ts';
import type { TotalsCache } from '../../platform/db/lists/totals-cache.ts';
import { providerInScope, traderInScope } from '../../platform/db/scope-filter.ts';
import { type FindNamed, type FoundRow, typedHash, typedId } from '../../platform/http/search-source.ts';
import { resolveSearch } from './resolve-search.ts';
import { type TraderFilters, traderConditions } from './trader-filters.ts';

/**
 * Candidates that are ranked. A text that matches more traders names none of them, unless it is a whole
 * number.
 */
const LOOKED_AT = 60;

/**
 * Traders by anything that names them, also by an exchange account or what they paid with, and what each owes. What a
 * deposit paid is looked up for whoever sees every deposit.
 */
export const findNamedTraders: FindNamed = async (tx, text, most) => {
  const needle = text.toLowerCase();
  const hash = tx.scope.kind === 'all' ? typedHash(text) : null;
  const { rows } = await sql<FoundRow>`
    WITH found AS MATERIALIZED (
      SELECT id FROM app.search_traders(${text}, true, ${LOOKED_AT}) id
      UNION SELECT id FROM app.search_traders(${text}, false, ${LOOKED_AT}) id
      UNION SELECT t.id FROM trader t WHERE t.reference_sort = ${needle}
      UNION SELECT ${typedId(text)}::uuid
      UNION SELECT d.trader_id FROM deposit d WHERE d.transaction_hash = ${hash}
        AND d.chain_id = ANY (ARRAY(SELECT r.chain_id FROM chain_cursor r))
    ), ranked AS MATERIALIZED (
      SELECT t.id, coalesce(t.reference_number, nullif(t.telegram_username, ''), t.name, 'Unknown Trader') AS title,
        concat_ws(' · ', CASE WHEN coalesce(t.reference_number, nullif(t.telegram_username, '')) IS NOT NULL THEN t.name END,
          CASE WHEN t.reference_number IS NOT NULL THEN '@' || nullif(t.telegram_username, '') END,
          CASE WHEN coalesce(t.reference_number, nullif(t.telegram_username, ''), t.name) IS NULL THEN t.email END, c.name) AS note,
        coalesce(${needle} = ANY (ARRAY[t.reference_sort, lower(t.telegram_username), t.telegram_user_id::text, lower(t.email),
          lower(t.name), lower(t.deposit_address), lower(t.external_wallet_address), t.id::text]), false) OR EXISTS (
          SELECT FROM exchange_account a WHERE a.trader_id = t.id AND a.removed_at IS NULL
            AND lower(a.acc_uid) = ${needle} AND ${providerInScope(tx, 'a.provider_id')} OFFSET 0) AS is_exact,
        concat_ws(E'\n', t.reference_sort, lower(t.telegram_username), lower(t.name), lower(t.email))
          LIKE ${`${escaped(needle)}%`} AS begins, t.reference_sort
      FROM found
      -- One by one: else all traders in scope are read, to be joined with a few.
      CROSS JOIN LATERAL (SELECT * FROM trader t WHERE t.id = found.id AND ${traderInScope(tx, 't.id')} OFFSET 0) t
      LEFT JOIN community c ON c.id = t.community_id
      ORDER BY is_exact DESC, begins DESC, t.reference_sort, t.id LIMIT ${most})
    SELECT r.id, r.title, nullif(r.note, '') AS note, trim_scale(owed.units * 1e-18)::text AS amount, NULL AS status,
      NULL AS at, r.is_exact
    FROM ranked r LEFT JOIN LATERAL (SELECT sum(i.amount_units - i.paid_units) AS units FROM invoice i
      WHERE i.trader_id = r.id AND ${isOwed} AND ${providerInScope(tx, 'i.provider_id')}) owed ON owed.units > 0
    ORDER BY r.is_exact DESC, r.begins DESC, r.reference_sort, r.id`.execute(tx.sql);
  return rows;
};

/** A text as part of a reference number, or of another text of a trader: each as `resolveSearch` leaves it. */
export type TraderSearch = readonly TraderFilters[];

/** Looks a text up wherever the list of traders finds one, at once. */
export async function resolveTraderSearch(tx: AnyTx, search: string): Promise<TraderSearch> {
  return [
    await resolveSearch<TraderFilters>(tx, { search }),
    await resolveSearch<TraderFilters>(tx, { search, search_in: 'other' }),
  ];
}

/** The same, once for all pages of a search and their counts. */
export const createTraderSearch =
  ({ db, searches }: { db: Database; searches: TotalsCache }) =>
  async (scope: Scope, text: string): Promise<TraderSearch> => {
    const key = `traders anywhere ${JSON.stringify([scope, text])}`;
    return (await searches.get(key, () => db.readAny(scope, (tx) => resolveTraderSearch(tx, text)))).value;
  };

/** The ids of the traders that a search finds. */
export function tradersFound(tx: AnyTx, search: TraderSearch): RawBuilder<unknown> {
  const either = search.map((place) => sql`(${sql.join(traderConditions(tx, place, null), sql` AND `)})`);
  return sql`SELECT seen.id FROM trader seen WHERE ${sql.join(either, sql` OR `)}`;
}
