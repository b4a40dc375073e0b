import type { CallAnswer } from '@copydesk/contract';
import type { Exchange } from '@copydesk/domain/catalogue';
import type { AccountType } from '@copydesk/domain/trading';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import { byName } from '../../../platform/db/lists/list-query.ts';
import { communityInScope, providerInScope, traderInScope } from '../../../platform/db/scope-filter.ts';

/** An exchange account in scope, without its secrets. */
export interface AccountRow {
  id: string;
  exchange: Exchange;
  acc_uid: string;
  provider_id: string;
  provider_name: string;
  master_address: string | null;
  agent_address: string | null;
  region: string | null;
  account_type: AccountType | null;
  /** USD as last read in the background, decimal text */
  equity: string | null;
  equity_read_at: string | null;
}

/** The accounts of a trader; null when the trader is missing or out of scope. */
export async function findAccounts(tx: Tx, traderId: string): Promise<AccountRow[] | null> {
  const { rows } = await sql<{ accounts: AccountRow[] }>`
    SELECT (SELECT coalesce(json_agg(account ORDER BY ${byName('account.provider_name')}, account.exchange, account.acc_uid), '[]')
      FROM (SELECT a.id, a.exchange, a.acc_uid, a.provider_id, p.display_name AS provider_name, a.master_address,
          a.agent_address, a.region, a.account_type, trim_scale(a.equity)::text AS equity, app.iso(a.equity_read_at) AS equity_read_at
        FROM exchange_account a JOIN provider p ON p.id = a.provider_id
        WHERE a.trader_id = t.id AND a.removed_at IS NULL AND ${providerInScope(tx, 'a.provider_id')}) account
    ) AS accounts
    FROM trader t WHERE t.id = ${traderId} AND ${traderInScope(tx, 't.id')}`.execute(tx.sql);
  return rows[0]?.accounts ?? null;
}

type Available = CallAnswer<'GET /api/traders/{id}/available-exchanges'>['data'];

/**
 * The exchanges that the active providers of the trader's community work with (see `supportsExchange`), within the
 * caller's scope; null: no trader.
 */
export async function findAvailableExchanges(
  tx: Tx,
  traderId: string,
): Promise<Omit<Available[number], 'fields'>[] | null> {
  const { rows } = await sql<{ available: Omit<Available[number], 'fields'>[] }>`
    SELECT (SELECT coalesce(json_agg(e ORDER BY e.exchange), '[]') FROM (
      SELECT s.id AS exchange, json_agg(json_build_object('id', p.id,
            'name', coalesce(cp.custom_display_name, p.display_name)) ORDER BY ${byName('p.display_name')}) AS providers,
        (SELECT count(*) FROM exchange_account a
          WHERE a.trader_id = t.id AND a.exchange = s.id AND a.removed_at IS NULL
            AND ${providerInScope(tx, 'a.provider_id')}) AS connected
      FROM community_provider cp JOIN provider p ON p.id = cp.provider_id AND p.is_active
      JOIN exchange s ON s.id = 'hyperliquid' OR cardinality(p.supported_exchanges) = 0
        OR s.id = ANY (p.supported_exchanges)
      WHERE cp.community_id = t.community_id AND cp.is_active AND ${providerInScope(tx, 'p.id')}
        AND ${communityInScope(tx, 'cp.community_id')}
      GROUP BY s.id) e) AS available
    FROM trader t WHERE t.id = ${traderId} AND ${traderInScope(tx, 't.id')}`.execute(tx.sql);
  return rows[0]?.available ?? null;
}

type Refresh = CallAnswer<'GET /api/traders/{id}/refresh-aum'>['data'];

/** The progress of a trader's newest refresh; null: no trader. A refresh without an answer counts as failed. */
export async function findRefresh(tx: Tx, traderId: string, patienceMs: number): Promise<Refresh | null> {
  const { rows } = await sql<Refresh>`
    SELECT CASE
        WHEN r.total = 0 OR r.requested_at IS NULL THEN 'idle'
        WHEN r.done + r.failed < r.total AND r.requested_at > now() - make_interval(secs => ${patienceMs / 1000})
          THEN 'running'
        WHEN r.failed > 0 OR r.done < r.total THEN 'failed'
        ELSE 'done' END AS state,
      app.iso(r.requested_at) AS requested_at, r.total, r.done, r.failed,
      seen.aum::float8 AS aum, app.iso(seen.aum_read_at) AS aum_read_at
    FROM trader t
    CROSS JOIN LATERAL (
      SELECT max(g.refresh_started_at) AS requested_at, count(*)::int AS total,
        (count(*) FILTER (WHERE g.requested_at IS NULL AND NOT g.refresh_failed))::int AS done,
        (count(*) FILTER (WHERE g.requested_at IS NULL AND g.refresh_failed))::int AS failed
      FROM exchange_account a JOIN account_reading g ON g.account_id = a.id
      WHERE a.trader_id = t.id AND a.removed_at IS NULL AND ${providerInScope(tx, 'a.provider_id')}) r
    CROSS JOIN LATERAL (
      SELECT sum(a.equity) AS aum, min(a.equity_read_at) AS aum_read_at FROM exchange_account a
      WHERE a.trader_id = t.id AND a.removed_at IS NULL AND ${providerInScope(tx, 'a.provider_id')}) seen
    WHERE t.id = ${traderId} AND ${traderInScope(tx, 't.id')}`.execute(tx.sql);
  return rows[0] ?? null;
}

/** What a request to read their accounts would meet at each of the traders in `wanted`. */
export const planReadings = (tx: Tx): RawBuilder<unknown> => sql`
  SELECT t.id, w.place, NULL::text AS before, NULL::numeric AS amount_units,
    CASE WHEN NOT EXISTS (SELECT FROM exchange_account a WHERE a.trader_id = t.id AND a.removed_at IS NULL
      AND ${providerInScope(tx, 'a.provider_id')}) THEN 'no_accounts' END AS reason
  FROM wanted w JOIN trader t ON t.id = w.id AND ${traderInScope(tx, 't.id')}`;
