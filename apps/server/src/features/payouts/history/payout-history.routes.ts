import type { CallAnswer } from '@copydesk/contract';
import type { Scope } from '@copydesk/domain/access';
import type { PayoutRules } from '../../../core/settings/payout-rules.ts';
import type { Database } from '../../../platform/db/database.ts';
import { nextCursor, reachAsked } from '../../../platform/db/lists/cursor.ts';
import { partsOfQuery } from '../../../platform/db/lists/list-query.ts';
import type { ReadRows } from '../../../platform/db/lists/shared-reads.ts';
import type { TotalsCache } from '../../../platform/db/lists/totals-cache.ts';
import type { StreamOptions } from '../../../platform/db/stream.ts';
import { sendList } from '../../../platform/http/exported-list.ts';
import type { Handlers } from '../../../platform/http/handlers.ts';
import { commas, jsonText } from '../../../platform/http/json-text.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { communityExists } from '../../communities/community-exists.views.ts';
import { findPayout } from './payout-detail.views.ts';
import { type ListQuery, type PayoutFilters, payoutKeys } from './payout-filters.ts';
import * as views from './payout-history.views.ts';
import { sumPayouts } from './payout-sums.views.ts';
import { isCommon, isSearching, resolveFilters, resolveSearch } from './resolve-filters.ts';

type PayoutHistoryCall =
  | `GET /api/sweep-operations/${'admin/all' | 'summary' | '{id}' | 'export'}`
  | 'GET /api/communities/{id}/sweep-operations';
type PayoutHistoryRoutes = Pick<Handlers, PayoutHistoryCall>;
type Totals = CallAnswer<'GET /api/sweep-operations/summary'>['meta'];

const DEFAULT_PAGE = 20;

/** The payout history: list, sums by recipient type, one payout, and the export. */
export function createPayoutHistoryRoutes(deps: {
  db: Database;
  totals: TotalsCache;
  searches: TotalsCache;
  readRows: ReadRows;
  stream: StreamOptions;
  now: () => Date;
  rules: Pick<PayoutRules, 'addressHoldHours'>;
}): PayoutHistoryRoutes {
  const { db, totals, searches, readRows, rules } = deps;

  const settled = async (scope: Scope, filters: PayoutFilters) => {
    const { search, distribution_id } = filters;
    if (search === undefined && distribution_id === undefined) return filters;
    if (distribution_id === undefined && isSearching(filters)) {
      const { value: resolved } = await searches.get(`payouts ${JSON.stringify([scope, search])}`, () =>
        db.readAny(scope, (tx) => resolveSearch(tx, { search })),
      );
      const { meta } = await counted(scope, {}, {});
      return isCommon(resolved, meta.total) ? filters : { ...filters, search: undefined, ...resolved };
    }
    return db.readAny(scope, (tx) => resolveFilters(tx, filters));
  };

  /**
   * Sums of the matches, shared by page and summary. The cache key is the original filters, because these may resolve
   * to many ids.
   */
  async function counted(scope: Scope, asked: PayoutFilters, filters: PayoutFilters) {
    const key = `payouts ${JSON.stringify([scope, asked])}`;
    const { value, takenAt } = await totals.get(key, () =>
      db.readAny(scope, (tx) => sumPayouts(tx, filters)),
    );
    const { types, ...whole } = value;
    return { types, meta: { ...whole, totals_at: takenAt.toISOString() } satisfies Totals };
  }

  async function list(scope: Scope, query: ListQuery) {
    const { filters: given, order, paging } = partsOfQuery(query, 'created_at');
    const place = { list: 'payouts', scope, asked: { ...given, ...order } };
    const reach = reachAsked(place, payoutKeys(order.orderBy, order.orderDir), paging, DEFAULT_PAGE);
    const filters = await settled(scope, given);
    const page = { ...filters, ...order, ...reach };
    const read = () => db.readAny(scope, (tx) => views.listPayouts(tx, page));
    const [rows, { meta: totals }] = await Promise.all([
      readRows(reach.limit, read),
      counted(scope, given, filters),
    ]);
    const meta = { ...totals, next_cursor: nextCursor(place, reach, rows) };
    return jsonText<never>(
      '{"success":true,"data":[',
      ...commas(rows.parts),
      `],"meta":${JSON.stringify(meta)}}`,
    );
  }

  return {
    'GET /api/sweep-operations/admin/all': ({ query, scope }) => list(scope, query),

    'GET /api/communities/{id}/sweep-operations': async ({ params, query, scope }) => {
      if (!(await db.readAny(scope, (tx) => communityExists(tx, params.id)))) throw new Refusal('not_found');
      return list(scope, { ...query, community_id: params.id });
    },

    'GET /api/sweep-operations/summary': async ({ query, scope }) => {
      const { types, meta } = await counted(scope, query, await settled(scope, query));
      return { success: true, data: types, meta };
    },

    'GET /api/sweep-operations/{id}': async ({ params, scope }) => {
      const data = await db.read(scope, (tx) => findPayout(tx, params.id, rules.addressHoldHours));
      if (!data) throw new Refusal('not_found');
      return { success: true, data };
    },

    'GET /api/sweep-operations/export': ({ query, scope, reply }) =>
      sendList(deps, views.payoutExport, { query, scope, reply }),
  };
}
