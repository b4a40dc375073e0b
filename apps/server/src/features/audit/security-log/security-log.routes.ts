import type { Database } from '../../../platform/db/database.ts';
import { nextCursor, reachAsked } from '../../../platform/db/lists/cursor.ts';
import type { StreamOptions } from '../../../platform/db/stream.ts';
import { sendList } from '../../../platform/http/exported-list.ts';
import type { Handlers } from '../../../platform/http/handlers.ts';
import {
  COUNTED,
  countRefusals,
  KEYS,
  keysOf,
  listRefusals,
  refusalExport,
  sumRefusals,
  sumUnlisted,
} from './security-log.views.ts';

type SecurityLogRoutes = Pick<Handlers, Extract<keyof Handlers, `GET /api/audit/refusals${string}`>>;

const DEFAULT_PAGE = 50;

/** The security log: attempts that were refused. */
export function createSecurityLogRoutes(deps: {
  db: Database;
  stream: StreamOptions;
  now: () => Date;
}): SecurityLogRoutes {
  const { db } = deps;
  return {
    'GET /api/audit/refusals': async ({ scope, query }) => {
      const { limit, cursor, ...filters } = query;
      const place = { list: 'refusals', scope, asked: filters };
      const reach = reachAsked(place, KEYS, { limit, cursor }, DEFAULT_PAGE);
      // Not cached: attempts raise no change events, and counting stops early.
      const [data, total, unlisted] = await Promise.all([
        db.read(scope, (tx) => listRefusals(tx, filters, reach)),
        db.read(scope, (tx) => countRefusals(tx, filters)),
        db.read(scope, (tx) => sumUnlisted(tx, filters)),
      ]);
      const end = data.at(-1);
      return {
        success: true,
        data,
        meta: {
          next_cursor: nextCursor(place, reach, {
            parts: [],
            rows: data.length,
            last: end ? keysOf(end) : null,
          }),
          total: Math.min(total, COUNTED),
          is_total_capped: total > COUNTED,
          unlisted,
        },
      };
    },

    'GET /api/audit/refusals/counts': async ({ scope, query }) => ({
      success: true,
      data: await db.read(scope, (tx) => sumRefusals(tx, query)),
    }),

    'GET /api/audit/refusals/export': ({ scope, query, reply }) =>
      sendList(deps, refusalExport, { query, scope, reply }),
  };
}
