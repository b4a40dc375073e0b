import { readVerifications, requestVerification } from '../../platform/audit/verifications.store.ts';
import type { Database } from '../../platform/db/database.ts';
import type { TotalsCache } from '../../platform/db/lists/totals-cache.ts';
import { type StreamOptions, streamRows } from '../../platform/db/stream.ts';
import { sendCsv } from '../../platform/http/csv.ts';
import type { Handlers } from '../../platform/http/handlers.ts';
import { COUNTED, countAudit, EXPORT_COLUMNS, exportStatement, listAudit } from './audit.views.ts';
import { readChain } from './audit-chain.views.ts';

type AuditRoutes = Pick<
  Handlers,
  Exclude<Extract<keyof Handlers, `${string} /api/audit${string}`>, `${string} /api/audit/refusals${string}`>
>;

const DEFAULT_PAGE = 50;

/** The audit, and the checks of its chain. */
export function createAuditRoutes({
  db,
  totals,
  stream,
  now,
}: {
  db: Database;
  totals: TotalsCache;
  stream: StreamOptions;
  now: () => Date;
}): AuditRoutes {
  return {
    'GET /api/audit': async ({ scope, query }) => {
      const { limit = DEFAULT_PAGE, before_seq: beforeSeq, ...filters } = query;
      const counted = totals.get(`audit ${JSON.stringify(filters)}`, () =>
        db.read(scope, (tx) => countAudit(tx, filters)),
      );
      const [data, { value: total }] = await Promise.all([
        db.read(scope, (tx) => listAudit(tx, filters, { limit, beforeSeq })),
        counted,
      ]);
      return {
        success: true,
        data,
        meta: {
          next_seq: data.length === limit ? (data.at(-1)?.seq ?? null) : null,
          total: Math.min(total, COUNTED),
          is_total_capped: total > COUNTED,
        },
      };
    },

    'GET /api/audit/export': async ({ scope, query, reply }) => {
      const rows = await streamRows(stream, scope, (tx) => exportStatement(tx, query));
      const filename = `audit-${now().toISOString().slice(0, 10)}.csv`;
      return sendCsv(reply, rows, { filename, columns: EXPORT_COLUMNS });
    },

    'GET /api/audit/chain': async ({ scope }) => ({ success: true, data: await db.read(scope, readChain) }),

    'POST /api/audit/verify': async ({ scope, actor }) => {
      const data = await db.write(scope, actor, async (tx) => {
        await requestVerification(tx, actor.name);
        return (await readVerifications(tx)).open;
      });
      if (!data) throw new Error('a check that was just requested is open');
      return { success: true, data };
    },
  };
}
