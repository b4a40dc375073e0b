import type { CallAnswer } from '@copydesk/contract';
import type { Scope } from '@copydesk/domain/access';
import type { AnyTx, Database } from '../../../platform/db/database.ts';
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
import { traderExists } from '../../traders/trader-exists.views.ts';
import { groupKeys } from '../groups/invoice-groups.ts';
import * as groups from '../groups/invoice-groups.views.ts';
import { countUnknownTraders } from '../groups/unknown-traders.views.ts';
import { type InvoiceFilters, invoiceKeys, type ListQuery } from './invoice-filters.ts';
import * as views from './invoices.views.ts';
import { isResolvable, resolveFilters } from './resolve-filters.ts';

type InvoiceCall =
  | `GET /api/invoices/${'admin/all' | 'admin/groups' | 'admin/groups/unknown' | 'community/{id}' | 'trader/{id}' | 'export'}`
  | 'GET /api/traders/{id}/invoices';
type InvoiceRoutes = Pick<Handlers, Extract<keyof Handlers, InvoiceCall>>;
type Totals = CallAnswer<'GET /api/invoices/admin/all'>['meta'];

const DEFAULT_PAGE = 50;
const DEFAULT_GROUPS = 10;

/** Routes that read invoices: lists, groups by reference number, and the export. */
export function createInvoiceRoutes(deps: {
  db: Database;
  totals: TotalsCache;
  /** Orders of groups without an index. */
  orders: TotalsCache;
  searches: TotalsCache;
  readRows: ReadRows;
  stream: StreamOptions;
  now: () => Date;
}): InvoiceRoutes {
  const { db, totals, orders, searches, readRows } = deps;

  const counted = <T>(
    what: string,
    scope: Scope,
    filters: InvoiceFilters,
    count: (tx: AnyTx) => Promise<T>,
  ) => totals.get(`${what} ${JSON.stringify([scope, filters])}`, () => db.readAny(scope, count));

  const settled = async <F extends InvoiceFilters>(scope: Scope, filters: F): Promise<F> => {
    if (!isResolvable(filters)) return filters;
    const resolved = () => db.readAny(scope, (tx) => resolveFilters(tx, filters));
    return (await searches.get(`invoices ${JSON.stringify([scope, filters])}`, resolved)).value;
  };

  /** The page as JSON texts, and the totals of the list. */
  async function list(scope: Scope, query: ListQuery): Promise<{ rows: string[]; totals: Totals }> {
    const { filters: given, order, paging } = partsOfQuery(query, 'created_at');
    const place = { list: 'invoices', scope, asked: { ...given, ...order } };
    const reach = reachAsked(place, invoiceKeys(order.orderBy, order.orderDir), paging, DEFAULT_PAGE);
    const filters = await settled(scope, given);
    const page = { ...filters, ...order, ...reach };
    const read = () => db.readAny(scope, (tx) => views.listInvoices(tx, page));
    const [rows, { value, takenAt }] = await Promise.all([
      readRows(reach.limit, read),
      counted('invoices', scope, filters, (tx) => views.sumInvoices(tx, filters)),
    ]);
    const next_cursor = nextCursor(place, reach, rows);
    return { rows: commas(rows.parts), totals: { ...value, totals_at: takenAt.toISOString(), next_cursor } };
  }

  async function listOf(
    exists: (tx: AnyTx, id: string) => Promise<boolean>,
    id: string,
    scope: Scope,
    query: ListQuery,
  ) {
    if (!(await db.readAny(scope, (tx) => exists(tx, id)))) throw new Refusal('not_found');
    return list(scope, query);
  }

  return {
    'GET /api/invoices/admin/all': async ({ query, scope }) => answer(await list(scope, query)),

    'GET /api/invoices/community/{id}': async ({ params, query, scope }) =>
      answer(await listOf(communityExists, params.id, scope, { ...query, community_id: params.id })),

    'GET /api/invoices/trader/{id}': async ({ params, query, scope }) =>
      answer(await listOf(traderExists, params.id, scope, { ...query, trader_id: params.id })),

    'GET /api/traders/{id}/invoices': async ({ params, query, scope }) => {
      const ofTrader = { ...query, trader_id: params.id };
      const { rows, totals: meta } = await listOf(traderExists, params.id, scope, ofTrader);
      const end = `],"total_count":${meta.total},"meta":${JSON.stringify(meta)}}`;
      return jsonText('{"success":true,"invoices":[', ...rows, end);
    },

    'GET /api/invoices/admin/groups': async ({ query, scope }) => {
      const { filters: asked, order, paging } = partsOfQuery(query, 'created_at');
      const { tab, ...given } = asked;
      const place = { list: 'groups', scope, asked: { ...asked, ...order } };
      const reach = reachAsked(place, groupKeys(order.orderBy, order.orderDir), paging, DEFAULT_GROUPS);
      const filters = await settled(scope, given);
      const page = { ...filters, tab, ...order, ...reach };
      const unknown = counted('unknown group', scope, filters, (tx) => groups.readUnknown(tx, filters));
      const read = async () => {
        const { value } = await unknown;
        const found = await db.readAny(scope, (tx) => groups.listGroups(tx, page, value));
        if (found) return { rows: found, takenAt: null };
        const key = `groups ${JSON.stringify([scope, tab, order.orderBy, filters])}`;
        const cached = await orders.get(key, () =>
          db.readAny(scope, (tx) => groups.readGroupOrder(tx, page, value)),
        );
        const rows = await db.readAny(scope, (tx) => groups.listOrdered(tx, page, value, cached.value));
        return { rows, takenAt: cached.takenAt };
      };
      const [{ rows, takenAt: orderedAt }, known, { value: others, takenAt }] = await Promise.all([
        readRows(reach.limit, read),
        counted('groups', scope, filters, (tx) => groups.countGroups(tx, filters)),
        unknown,
      ]);
      const counts = groups.withUnknown(known.value, others);
      const taken = [takenAt, known.takenAt, orderedAt ?? takenAt].map((at) => at.getTime());
      const totals_at = new Date(Math.min(...taken)).toISOString();
      const meta = { total: counts[tab], counts, totals_at, next_cursor: nextCursor(place, reach, rows) };
      return jsonText('{"success":true,"data":[', ...commas(rows.parts), `],"meta":${JSON.stringify(meta)}}`);
    },

    'GET /api/invoices/admin/groups/unknown': async ({ query, scope }) => {
      const { filters: asked, order, paging } = partsOfQuery(query, 'created_at');
      const { is_archived: isArchived = false, ...filters } = asked;
      const { limit = DEFAULT_PAGE, offset = 0 } = paging;
      const page = { ...filters, isArchived, limit, offset, ...order };
      const read = () => db.readAny(scope, (tx) => groups.listUnknownTraders(tx, page));
      const [rows, { value: total }] = await Promise.all([
        readRows(limit, read),
        counted(`unknown traders ${isArchived}`, scope, filters, (tx) =>
          countUnknownTraders(tx, filters, isArchived),
        ),
      ]);
      return jsonText(
        '{"success":true,"data":[',
        ...commas(rows.parts),
        `],"meta":${JSON.stringify({ total })}}`,
      );
    },

    'GET /api/invoices/export': ({ query, scope, reply }) =>
      sendList(deps, views.invoiceExport, { query, scope, reply }),
  };
}

function answer({ rows, totals }: { rows: string[]; totals: Totals }) {
  return jsonText<never>('{"success":true,"data":[', ...rows, `],"meta":${JSON.stringify(totals)}}`);
}
