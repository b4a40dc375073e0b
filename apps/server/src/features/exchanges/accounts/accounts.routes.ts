import { sumDecimals } from '@copydesk/domain/money';
import { ACCOUNT_STATES, type AccountState } from '@copydesk/domain/trading';
import type { Database } from '../../../platform/db/database.ts';
import { partsOfQuery } from '../../../platform/db/lists/list-query.ts';
import { createSharedReads, type ReadRows } from '../../../platform/db/lists/shared-reads.ts';
import type { TotalsCache } from '../../../platform/db/lists/totals-cache.ts';
import type { Handlers } from '../../../platform/http/handlers.ts';
import { commas, jsonText } from '../../../platform/http/json-text.ts';
import { createTraderSearch } from '../../traders/found-traders.views.ts';
import { type AccountFilters, countAccounts, listAccounts } from './accounts.views.ts';

const DEFAULT_PAGE = 50;

/** Which accounts are read, and what keeps the others from it. */
export function createAccountRoutes({
  db,
  totals,
  searches,
  readRows,
}: {
  db: Database;
  totals: TotalsCache;
  searches: TotalsCache;
  readRows: ReadRows;
}): Pick<Handlers, 'GET /api/accounts'> {
  const readShared = createSharedReads(db);
  const searchTraders = createTraderSearch({ db, searches });

  return {
    'GET /api/accounts': async ({ query, scope }) => {
      const { filters: given, order, paging } = partsOfQuery(query, 'unread_for');
      const { search, ...asked } = given;
      const filters: AccountFilters = {
        ...asked,
        ...(search !== undefined && { traders: await searchTraders(scope, search) }),
      };
      const { limit = DEFAULT_PAGE, offset = 0 } = paging;
      const page = { ...filters, ...order, limit, offset };
      const list = () => readShared(JSON.stringify(page), scope, (tx) => listAccounts(tx, page));
      const { state, ...others } = given;
      const [rows, counted] = await Promise.all([
        readRows(limit, list),
        totals.get(`accounts ${JSON.stringify([scope, others])}`, () =>
          db.readAny(scope, (tx) => countAccounts(tx, filters)),
        ),
      ]);
      const of = counted.value;
      const shown: readonly AccountState[] = state ? [state] : ACCOUNT_STATES;
      const isLeftOut = (name: AccountState) => name === 'failing' || name === 'unread';
      const meta = {
        total: shown.reduce((sum, name) => sum + of[name].count, 0),
        states: Object.fromEntries(ACCOUNT_STATES.map((name) => [name, of[name].count])),
        equity_unread: sumDecimals(shown.filter(isLeftOut).map((name) => of[name].equity)),
        totals_at: counted.takenAt.toISOString(),
      };
      return jsonText('{"success":true,"data":[', ...commas(rows.parts), `],"meta":${JSON.stringify(meta)}}`);
    },
  };
}
