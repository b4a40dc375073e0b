import type { Database } from '../../../platform/db/database.ts';
import type { Handlers } from '../../../platform/http/handlers.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { startRun } from './runs.store.ts';
import { findRun, listRuns, targetExists } from './runs.views.ts';

type RunCalls = 'GET /api/invoices/runs' | 'GET /api/invoices/runs/{id}' | 'POST /api/invoices/runs';
const DEFAULT_PAGE = 25;

export function createRunRoutes({ db }: { db: Database }): Pick<Handlers, RunCalls> {
  return {
    'GET /api/invoices/runs': async ({ query: { limit = DEFAULT_PAGE, offset = 0 }, scope }) => {
      const { data, total } = await db.read(scope, (tx) => listRuns(tx, { limit, offset }));
      return { success: true, data, meta: { total } };
    },

    'GET /api/invoices/runs/{id}': async ({ params, scope }) => {
      const data = await db.read(scope, (tx) => findRun(tx, params.id));
      if (!data) throw new Refusal('not_found');
      return { success: true, data };
    },

    'POST /api/invoices/runs': ({ body, once }) =>
      once(async (tx) => {
        if (!(await targetExists(tx, body))) throw new Refusal('not_found');
        const { id, isNew } = await startRun(tx, {
          traderId: body.trader_id,
          communityId: body.community_id,
        });
        if (isNew)
          tx.audit({
            action: 'invoicing.requested',
            target: { kind: 'invoicing_run', id },
            after: { ...body },
          });
        const run = await findRun(tx, id);
        if (!run) throw new Refusal('not_found');
        const { problems: _problems, ...data } = run;
        return { success: true, data };
      }),
  };
}
