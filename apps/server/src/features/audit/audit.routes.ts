import { readVerifications, requestVerification } from '../../platform/audit/verifications.store.ts';
import type { Database } from '../../platform/db/database.ts';
import type { TotalsCache } from '../../platform/db/lists/totals-cache.ts';
import type { StreamOptions } from '../../platform/db/stream.ts';
import { sendList } from '../../platform/http/exported-list.ts';
import type { Handlers } from '../../platform/http/handlers.ts';
import { auditExport, countAudit, listAudit, nameFilteredTarget, searchedTo } from './audit.views.ts';
import { readChain } from './audit-chain.views.ts';

type AuditRoutes = Pick<
  Handlers,
  Exclude<Extract<keyof Handlers, `${string} /api/audit${string}`>, `${string} /api/audit/refusals${string}`>
>;

const DEFAULT_PAGE = 50;

/** The audit, and the checks of its chain. */
export function createAuditRoutes(deps: {
  db: Database;
  totals: TotalsCache;
  stream: StreamOptions;
  now: () => Date;
}): AuditRoutes {
  const { db, totals } = deps;
  return {
    'GET /api/audit': async ({ scope, query }) => {
      const { limit = DEFAULT_PAGE, before_seq: beforeSeq, ...filters } = query;
      const counted = totals.get(`audit ${JSON.stringify(filters)}`, () =>
        db.read(scope, (tx) => countAudit(tx, filters)),
      );
      const page = db.read(scope, async (tx) => {
        const data = await listAudit(tx, filters, { limit, beforeSeq });
        const isWhole = data.length === limit || filters.search === undefined;
        return {
          data,
          next: isWhole ? null : await searchedTo(tx, filters, beforeSeq),
          target_name: await nameFilteredTarget(tx, filters),
        };
      });
      const [{ data, next, target_name }, { value }] = await Promise.all([page, counted]);
      return {
        success: true,
        data,
        meta: {
          next_seq: data.length === limit ? (data.at(-1)?.seq ?? null) : next,
          total: value.total,
          is_total_capped: value.isCapped,
          target_name,
        },
      };
    },

    'GET /api/audit/export': ({ scope, query, reply }) =>
      sendList(deps, auditExport, { query, scope, reply }),

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
