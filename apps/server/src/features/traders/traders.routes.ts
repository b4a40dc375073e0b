import type { CallParsed } from '@copydesk/contract';
import type { Scope } from '@copydesk/domain/access';
import { sumDecimals } from '@copydesk/domain/money';
import { decideVip, vipStanding } from '@copydesk/domain/traders';
import type { AnyTx, Database } from '../../platform/db/database.ts';
import { nextCursor, reachAsked } from '../../platform/db/lists/cursor.ts';
import { partsOfQuery } from '../../platform/db/lists/list-query.ts';
import { createSharedReads, type ReadRows } from '../../platform/db/lists/shared-reads.ts';
import type { TotalsCache } from '../../platform/db/lists/totals-cache.ts';
import type { StreamOptions } from '../../platform/db/stream.ts';
import { sendList } from '../../platform/http/exported-list.ts';
import type { Handlers } from '../../platform/http/handlers.ts';
import { commas, jsonText } from '../../platform/http/json-text.ts';
import { Refusal } from '../../platform/refusal.ts';
import { readPartsOfAum } from './part-of-aum.views.ts';
import { readReferrals } from './referrals.views.ts';
import { isResolvable, resolveSearch } from './resolve-search.ts';
import { traderExport } from './trader-export.ts';
import { type TraderFilters, traderKeys } from './trader-filters.ts';
import * as service from './traders.service.ts';
import * as views from './traders.views.ts';

type TraderCall =
  | `${string} /api/traders`
  | `${string} /api/traders/{id}`
  | 'GET /api/traders/export'
  | 'GET /api/traders/{id}/vip'
  | `${string} /api/traders/referral${string}`
  | `${string} /api/traders/{id}/referrals${string}`;
type TraderRoutes = Pick<Handlers, Extract<keyof Handlers, TraderCall>>;

const DEFAULT_PAGE = 50;
const DETAIL = { include_aum: true };

export function createTraderRoutes(deps: {
  db: Database;
  totals: TotalsCache;
  searches: TotalsCache;
  readRows: ReadRows;
  stream: StreamOptions;
  now: () => Date;
}): TraderRoutes {
  const { db, totals, searches, readRows } = deps;
  const readShared = createSharedReads(db);

  /** The cache key is the original filters, because these may resolve to many ids. */
  const counted = (scope: Scope, asked: TraderFilters, filters = asked) =>
    totals.get(`traders ${JSON.stringify([scope, asked])}`, () =>
      db.readAny(scope, (tx) => views.countTraders(tx, filters)),
    );
  const settled = async <F extends TraderFilters>(scope: Scope, filters: F): Promise<F> => {
    if (!isResolvable(filters)) return filters;
    const { search, search_in } = filters;
    // All pages of a search and its counts share what it found.
    const { value } = await searches.get(`traders ${JSON.stringify([scope, search, search_in])}`, () =>
      db.readAny(scope, (tx) => resolveSearch<TraderFilters>(tx, { search, search_in })),
    );
    return { ...filters, ...value };
  };
  /** A person who changes a trader finds it under the new name at once. */
  const recordOwnChange = () => {
    totals.touch();
    searches.clear();
  };

  return {
    'GET /api/traders': async ({ query, scope }) => {
      const { filters: given, order, paging } = partsOfQuery(query, 'aum');
      const { tab, ...asked } = withoutIncludes(given);
      const place = { list: 'traders', scope, asked: { ...asked, ...order, tab } };
      const reach = reachAsked(place, traderKeys(order.orderBy, order.orderDir), paging, DEFAULT_PAGE);
      const filters = await settled(scope, asked);
      const page = { ...query, ...filters, ...order, ...reach };
      const list = () => readShared(JSON.stringify(page), scope, (tx) => views.listTraders(tx, page, query));
      const [rows, filtered, all, parts] = await Promise.all([
        readRows(page.limit, list),
        counted(scope, asked, filters),
        counted(scope, {}),
        totals.get(`parts of aum ${JSON.stringify(scope)}`, () => db.readAny(scope, readPartsOfAum)),
      ]);
      const meta = {
        ...summary(filtered.value, tab),
        total_aum: sumDecimals(Object.values(all.value.aums)),
        ...parts.value,
        totals_at: new Date(
          Math.min(...[filtered, all, parts].map((of) => of.takenAt.getTime())),
        ).toISOString(),
        next_cursor: nextCursor(place, reach, rows),
      };
      return jsonText('{"success":true,"data":[', ...commas(rows.parts), `],"meta":${JSON.stringify(meta)}}`);
    },

    'GET /api/traders/export': ({ query, scope, reply }) =>
      sendList(deps, traderExport, { query, scope, reply }),

    'POST /api/traders': async ({ body, once }) => {
      const answer = await once(async (tx) => {
        const id = await service.createTrader(tx, body);
        const data = await views.findTrader(tx, id, DETAIL);
        if (data === null) throw new Error('a trader is in the scope of whoever made it');
        return { success: true, data: JSON.parse(data) };
      });
      recordOwnChange();
      return answer;
    },

    'GET /api/traders/{id}': async ({ params, query, scope, principal }) => {
      // Every role reads invoices; a service needs their scope for what is owed.
      const seesDebt = principal.kind === 'user' || principal.scopes.includes('invoices:read');
      return one(scope, params.id, { ...query, ...(!seesDebt && { include_standing: false }) });
    },

    'PATCH /api/traders/{id}': async ({ params, body, scope, actor }) => {
      await db.write(scope, actor, (tx) => service.changeTrader(tx, params.id, body));
      recordOwnChange();
      return one(scope, params.id);
    },

    'DELETE /api/traders/{id}': async ({ params, scope, actor }) => {
      await db.write(scope, actor, (tx) => service.deleteTrader(tx, params.id));
      recordOwnChange();
      return { success: true, data: { id: params.id } };
    },

    'GET /api/traders/{id}/vip': async ({ params, scope }) => {
      const basis = await db.readAny(scope, (tx) => views.findVipBasis(tx, params.id));
      if (!basis) throw new Refusal('not_found');
      const { aum, is_part } = basis;
      const { level, name, benefits, next, progress } = is_part
        ? vipStanding(basis.level, basis.tiers)
        : decideVip(aum, basis.tiers);
      const next_level = next && {
        level: next.level,
        name: next.name,
        benefits: next.benefits,
        min_aum: next.minAum,
        missing_aum: next.missingAum,
      };
      return {
        success: true,
        data: { level, name, benefits, aum: Number(aum), aum_is_part: is_part, progress, next_level },
      };
    },

    'POST /api/traders/referral': async ({ body, scope, actor }) => {
      const referrer = await db.write(scope, actor, (tx) =>
        service.referTrader(tx, body.trader_id, body.referral_code),
      );
      return { success: true, data: { trader_id: body.trader_id, referred_by_trader_id: referrer } };
    },

    'GET /api/traders/{id}/referrals': async ({ params, query, scope }) => {
      const answer = await db.readAny(scope, (tx) => readReferrals(tx, params.id, query));
      if (!answer) throw new Refusal('not_found');
      return { success: true, ...answer };
    },

    'POST /api/traders/{id}/referrals/regenerate': async ({ params, scope, actor }) => {
      const code = await db.write(scope, actor, (tx) => service.regenerateReferralCode(tx, params.id));
      return { success: true, data: { referral_code: code } };
    },

    'GET /api/traders/referral-info/{code}': async ({ params, scope }) => {
      const info = await db.readAny(scope, (tx) => views.findReferralInfo(tx, params.code));
      if (!info) throw new Refusal('not_found');
      return { success: true, data: info };
    },
  };

  async function one(
    scope: Scope,
    id: string,
    include: CallParsed<'GET /api/traders/{id}'>['query'] = DETAIL,
  ) {
    const data = await db.readAny(scope, (tx: AnyTx) => views.findTrader(tx, id, include));
    if (!data) throw new Refusal('not_found');
    return jsonText<never>(`{"success":true,"data":${data}}`);
  }
}

/** The filters of a list, without what says how much of a row is shown. */
function withoutIncludes<Q extends object>(query: Q) {
  const filters = Object.entries(query).filter(([name]) => !name.startsWith('include_'));
  return Object.fromEntries(filters) as { [K in keyof Q as K extends `include_${string}` ? never : K]: Q[K] };
}

function summary({ counts, aums }: views.TraderTotals, tab: TraderFilters['tab']) {
  return {
    total: tab ? counts[tab] : Object.values(counts).reduce((sum, count) => sum + count, 0),
    counts,
    filtered_aum: tab ? aums[tab] : sumDecimals(Object.values(aums)),
  };
}
