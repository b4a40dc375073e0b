import type { Scope } from '@copydesk/domain/access';
import type { AnyTx, Database } from '../../../platform/db/database.ts';
import type { StreamOptions } from '../../../platform/db/stream.ts';
import { sendList } from '../../../platform/http/exported-list.ts';
import type { Handlers } from '../../../platform/http/handlers.ts';
import { jsonText } from '../../../platform/http/json-text.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { traderExists } from '../trader-exists.views.ts';
import { listClosedPositions, positionExport, sumClosedPositions } from './closed-positions.views.ts';
import * as views from './trader-history.views.ts';

type HistoryCall =
  | `GET /api/traders/{id}/closed-positions${string}`
  | 'GET /api/traders/{id}/equity'
  | 'GET /api/traders/{id}/pnl-days'
  | 'GET /api/traders/{id}/audit';
type HistoryRoutes = Pick<Handlers, Extract<keyof Handlers, HistoryCall>>;

const DEFAULT_PAGE = 25;

/** Routes for a trader's history: closed positions, equity and profit by day, and the audit. */
export function createTraderHistoryRoutes(deps: {
  db: Database;
  stream: StreamOptions;
  now: () => Date;
}): HistoryRoutes {
  const { db } = deps;

  /** Reads about a trader in the caller's scope; throws when it is missing. */
  const about = <T>(scope: Scope, traderId: string, work: (tx: AnyTx) => Promise<T>): Promise<T> =>
    db.readAny(scope, async (tx) => {
      if (!(await traderExists(tx, traderId))) throw new Refusal('not_found');
      return work(tx);
    });

  return {
    'GET /api/traders/{id}/closed-positions': async ({ params, query, scope }) => {
      const { limit = DEFAULT_PAGE, offset = 0, ...filters } = query;
      const [data, meta] = await about(scope, params.id, async (tx) => [
        await listClosedPositions(tx, params.id, filters, { limit, offset }),
        await sumClosedPositions(tx, params.id, filters),
      ]);
      return jsonText(`{"success":true,"data":${data},"meta":${JSON.stringify(meta)}}`);
    },

    'GET /api/traders/{id}/closed-positions/export': ({ params, query, scope, reply }) =>
      sendList(deps, positionExport, { params, query, scope, reply }),

    'GET /api/traders/{id}/equity': async ({ params, query, scope, principal }) => {
      // Every role reads invoices; a service needs their scope.
      const seesInvoices = principal.kind === 'user' || principal.scopes.includes('invoices:read');
      const [data, events] = await about(scope, params.id, async (tx) => [
        await views.listEquityDays(tx, params.id, query),
        seesInvoices ? await views.listEvents(tx, params.id, query) : [],
      ]);
      return { success: true, data, meta: { events } };
    },

    'GET /api/traders/{id}/pnl-days': async ({ params, query, scope }) => {
      const data = await about(scope, params.id, (tx) => views.listPnlDays(tx, params.id, query));
      return { success: true, data };
    },

    'GET /api/traders/{id}/audit': async ({ params, query, scope }) => {
      const page = { limit: query.limit ?? DEFAULT_PAGE, offset: query.offset ?? 0 };
      const { data, meta } = await about(scope, params.id, (tx) => views.listAudit(tx, params.id, page));
      return { success: true, data, meta };
    },
  };
}
