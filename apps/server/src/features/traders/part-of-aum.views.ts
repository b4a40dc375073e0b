import { sql } from 'kysely';
import type { AnyTx } from '../../platform/db/database.ts';
import { providerInScope } from '../../platform/db/scope-filter.ts';
import { capitalByCommunity } from '../pools/pool-capital.views.ts';

/**
 * The AUM of one trader over rows `s` of `trader_provider`: the equity of its accounts under these providers, and its
 * pool capital, which each row has whole. NULL: nothing was read yet.
 */
export const partOfAum = sql<string | null>`sum(s.aum - s.pool_capital) + max(s.pool_capital)`;

/** What of the AUM in scope is in pools (USD), and how many accounts it leaves out, because they were not read yet. */
export async function readPartsOfAum(tx: AnyTx): Promise<{ pool_capital: string; unread_accounts: number }> {
  const { rows } = await sql<{ pool_capital: string; unread_accounts: number }>`
    SELECT trim_scale(trunc(coalesce((SELECT sum(c.capital) FROM (${capitalByCommunity(tx)}) c), 0), 8))::text
        AS pool_capital,
      (SELECT count(*)::int FROM exchange_account a WHERE a.removed_at IS NULL AND a.equity IS NULL
        AND ${providerInScope(tx, 'a.provider_id')}) AS unread_accounts`.execute(tx.sql);
  return rows[0] ?? { pool_capital: '0', unread_accounts: 0 };
}
