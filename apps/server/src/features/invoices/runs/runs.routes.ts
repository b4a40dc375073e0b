import { LINE_OUTCOMES } from '@copydesk/domain/invoices';
import { decimalToUnits } from '@copydesk/domain/money';
import { sql } from 'kysely';
import type { Database, Tx, WriteTx } from '../../../platform/db/database.ts';
import type { TotalsCache } from '../../../platform/db/lists/totals-cache.ts';
import type { Handlers } from '../../../platform/http/handlers.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { createTraderSearch } from '../../traders/found-traders.views.ts';
import { excludeTraders } from './run-lines.store.ts';
import { type Draft, discardDraft, lockDraft, sendDraft, startRun } from './runs.store.ts';
import * as views from './runs.views.ts';

type RunCalls = `${string} /api/invoices/runs${string}`;
const DEFAULT_PAGE = 25;

export function createRunRoutes({
  db,
  totals,
  searches,
}: {
  db: Database;
  totals: TotalsCache;
  searches: TotalsCache;
}): Pick<Handlers, Extract<keyof Handlers, RunCalls>> {
  const searchTraders = createTraderSearch({ db, searches });
  return {
    'GET /api/invoices/runs': async ({ query: { limit = DEFAULT_PAGE, offset = 0 }, scope }) => {
      const { data, total } = await db.readAny(scope, (tx) => views.listRuns(tx, { limit, offset }));
      return { success: true, data, meta: { total } };
    },

    'GET /api/invoices/runs/{id}': async ({ params, scope }) => {
      const data = await db.read(scope, (tx) => views.findRunDetail(tx, params.id));
      if (!data) throw new Refusal('not_found');
      return { success: true, data };
    },

    'GET /api/invoices/runs/{id}/lines': async ({ params, query, scope }) => {
      const { limit = DEFAULT_PAGE, offset = 0, search, ...filters } = query;
      const traders = search === undefined ? {} : { traders: await searchTraders(scope, search) };
      const asked = { ...filters, ...traders };
      const [data, outcomes] = await db.read(scope, async (tx) => [
        await views.listLines(tx, params.id, asked, { limit, offset }),
        await views.sumLines(tx, params.id),
      ]);
      if (!outcomes) throw new Refusal('not_found');
      /** Counted once for all callers that see the run in its present state. */
      const count = async (of: views.LineFilters, key: object) => {
        const named = JSON.stringify([params.id, outcomes, scope, key]);
        const counted = () => db.read(scope, (tx) => views.countLines(tx, params.id, of));
        return (await totals.get(`run lines ${named}`, counted)).value;
      };
      const told = { outcome: 'invoice', unreachable: 'true' } as const;
      const isNarrowed = filters.unreachable !== undefined || search !== undefined;
      const all = (filters.outcome ? [filters.outcome] : LINE_OUTCOMES).map((name) => outcomes[name].traders);
      const [total, unreachable] = await Promise.all([
        isNarrowed ? count(asked, { ...filters, search }) : all.reduce((sum, n) => sum + n, 0),
        count(told, told),
      ]);
      return { success: true, data, meta: { total, outcomes, unreachable } };
    },

    'POST /api/invoices/runs': ({ body: { draft: isDraft, ...body }, once }) =>
      once(async (tx) => {
        if (!(await views.targetExists(tx, body))) throw new Refusal('not_found');
        const { id, isNew } = await startRun(tx, {
          traderId: body.trader_id,
          communityId: body.community_id,
          isDraft,
        });
        if (isNew)
          tx.audit({
            action: isDraft ? 'invoicing.drafted' : 'invoicing.requested',
            target: { kind: 'invoicing_run', id },
            after: { ...body },
          });
        return { success: true, data: await runOf(tx, id) };
      }),

    'PATCH /api/invoices/runs/{id}/lines': async ({ params: { id }, body, scope, actor }) => {
      const { search, ...filters } = body.matching ?? {};
      const traders = search === undefined ? {} : { traders: await searchTraders(scope, search) };
      return db.write(scope, actor, async (tx) => {
        await draftOf(tx, id);
        const chosen = body.trader_ids
          ? sql`${[...body.trader_ids]}::uuid[]`
          : views.matchingTraders(tx, id, { ...filters, ...traders });
        await excludeTraders(tx, id, { chosen, isExcluded: body.excluded });
        return { success: true, data: await runOf(tx, id) };
      });
    },

    'POST /api/invoices/runs/{id}/send': ({ params: { id }, body, once }) =>
      once(async (tx) => {
        const draft = await draftOf(tx, id);
        if (draft.invoices !== body.invoices || draft.amountUnits !== decimalToUnits(body.amount))
          throw new Refusal('run_changed');
        const sums = await views.sumLines(tx, id);
        await sendDraft(tx, id);
        tx.audit({
          action: 'invoicing.sent',
          target: { kind: 'invoicing_run', id },
          after: {
            invoices: draft.invoices,
            amount_units: draft.amountUnits.toString(),
            excluded: sums?.excluded.traders ?? 0,
          },
        });
        return { success: true, data: await runOf(tx, id) };
      }),

    'POST /api/invoices/runs/{id}/discard': ({ params: { id }, scope, actor }) =>
      db.write(scope, actor, async (tx) => {
        await draftOf(tx, id);
        await discardDraft(tx, id);
        tx.audit({ action: 'invoicing.discarded', target: { kind: 'invoicing_run', id } });
        return { success: true, data: await runOf(tx, id) };
      }),
  };
}

async function runOf(tx: Tx, id: string) {
  const run = await views.findRun(tx, id);
  if (!run) throw new Refusal('not_found');
  return run;
}

/** A draft, locked. @throws Refusal `not_found`, `run_not_draft` */
async function draftOf(tx: WriteTx, id: string): Promise<Draft> {
  const draft = await lockDraft(tx, id);
  if (draft) return draft;
  await runOf(tx, id);
  throw new Refusal('run_not_draft');
}
