import type { Database } from '../../../platform/db/database.ts';
import type { Handlers } from '../../../platform/http/handlers.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { listPaidRecipients } from '../distributions/recipient-history.views.ts';
import type { PlanDeps } from '../plan-deps.ts';
import { approveRun, declineRun } from './decide-run.service.ts';
import { orderRun, planRun } from './payout-run.service.ts';
import { findRun } from './payout-runs.store.ts';
import { findRunDetail, listRunLines, listRuns } from './payout-runs.views.ts';
import { lineJson } from './run-lines.ts';

type RunCall =
  | `GET /api/super-admin/payout-runs${'' | '/{id}' | '/{id}/lines'}`
  | `POST /api/super-admin/payout-runs${'' | '/plan' | '/{id}/approve' | '/{id}/decline'}`;

const DEFAULT_PAGE = 25;

/** Routes for communities that are paid together. */
export function createPayoutRunRoutes({ db, ...deps }: PlanDeps & { db: Database }): Pick<Handlers, RunCall> {
  return {
    'POST /api/super-admin/payout-runs/plan': async ({ scope, actor, body }) => ({
      success: true,
      data: await db.read(scope, (tx) => planRun(tx, deps, actor.id, body.community_ids)),
    }),

    'POST /api/super-admin/payout-runs': ({ body, once }) =>
      once(async (tx) => ({
        success: true,
        data: await orderRun(tx, deps, { communityIds: body.community_ids, seen: body.seen }),
      })),

    'GET /api/super-admin/payout-runs': async ({ scope, actor, query }) => {
      const { limit = DEFAULT_PAGE, offset = 0, state } = query;
      const { data, total } = await db.read(scope, (tx) =>
        listRuns(tx, deps, actor.id, { isAwaiting: state === 'awaiting', limit, offset }),
      );
      return { success: true, data, meta: { total } };
    },

    'GET /api/super-admin/payout-runs/{id}': async ({ scope, actor, params: { id } }) => {
      const data = await db.read(scope, (tx) => findRunDetail(tx, deps, id, actor.id));
      if (!data) throw new Refusal('not_found');
      return { success: true, data };
    },

    'GET /api/super-admin/payout-runs/{id}/lines': ({ scope, params: { id } }) =>
      db.read(scope, async (tx) => {
        const run = await findRun(tx, id);
        if (!run) throw new Refusal('not_found');
        const lines = (await listRunLines(tx, id)).map(lineJson);
        const recipients = run.isAwaiting ? await listPaidRecipients(tx, { runId: id }, deps.now()) : null;
        return { success: true, data: { seen: run.seen, lines, recipients } };
      }),

    'POST /api/super-admin/payout-runs/{id}/approve': ({ params: { id }, body, once }) =>
      once(async (tx) => ({ success: true, data: await approveRun(tx, deps, id, body.seen) })),

    'POST /api/super-admin/payout-runs/{id}/decline': ({ params: { id }, once }) =>
      once(async (tx) => ({ success: true, data: await declineRun(tx, deps, id) })),
  };
}
