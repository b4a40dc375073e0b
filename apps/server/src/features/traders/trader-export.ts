import { sql } from 'kysely';
import type { AnyTx } from '../../platform/db/database.ts';
import { partsOfQuery } from '../../platform/db/lists/list-query.ts';
import type { ExportedList } from '../../platform/http/exported-list.ts';
import { resolveSearch } from './resolve-search.ts';
import type { TraderFilters } from './trader-filters.ts';
import { countTraders } from './traders.views.ts';
import { type OrderOfTraders, tradersInOrder } from './visible-traders.ts';

/** The same rows in the same order as the list, with names instead of ids. */
function exportStatement(tx: AnyTx, filters: TraderFilters & OrderOfTraders, except: readonly string[]) {
  return sql`
    SELECT t.reference_number, coalesce(nullif(t.telegram_username, ''), t.name) AS telegram_username,
      trim_scale(seen.aum)::text AS aum_usd, app.iso(seen.aum_read_at) AS aum_read_at,
      marks.is_part::text AS is_part, trim_scale(marks.below_minimum)::text AS below_minimum_balance, t.status,
      coalesce(c.name, 'Unknown Community') AS community, p.display_name AS provider,
      t.name, t.email, t.language, t.id, app.iso(t.created_at) AS created_at
    FROM (SELECT o.*, row_number() OVER () AS position FROM (${tradersInOrder(tx, filters, null)}) o) seen
    JOIN trader t ON t.id = seen.id
    LEFT JOIN app.trader_marks(NULL) marks ON marks.trader_id = t.id
    LEFT JOIN community c ON c.id = t.community_id
    LEFT JOIN provider p ON p.id = t.selected_provider_id
    WHERE seen.id <> ALL (${except}::uuid[])
    ORDER BY seen.position`.compile(tx.sql);
}

const COLUMNS = {
  reference_number: 'Reference Number',
  telegram_username: 'Telegram Username',
  aum_usd: 'Balance (USD)',
  aum_read_at: 'Balance read at',
  is_part: 'Balance is your part',
  below_minimum_balance: 'Below minimum balance (USD)',
  status: 'Status',
  community: 'Community',
  provider: 'Provider',
  name: 'Name',
  email: 'Email',
  language: 'Language',
  id: 'Trader ID',
  created_at: 'Created',
};

/** The traders of the list as a file. */
export const traderExport: ExportedList<'GET /api/traders/export'> = {
  name: 'traders',
  columns: COLUMNS,
  async prepare(tx, { query }, selected) {
    const { filters: asked, order } = partsOfQuery(query, 'aum');
    const { tab, ...matching } = await resolveSearch<TraderFilters>(tx, asked);
    const { ids, except = [] } = selected ?? {};
    const filters = ids ? { ...matching, found: bothOf(ids, matching.found) } : matching;
    return {
      async count(reading) {
        const { counts } = await countTraders(reading, filters);
        const all = tab ? counts[tab] : Object.values(counts).reduce((sum, count) => sum + count, 0);
        return Math.max(0, all - except.length);
      },
      statement: (reading) => exportStatement(reading, { ...filters, tab, ...order }, except),
    };
  },
};

/** The ids that are also among the matches of a search; undefined: there was none. */
const bothOf = (ids: readonly string[], found: readonly string[] | undefined) =>
  found ? ids.filter((id) => found.includes(id)) : ids;
