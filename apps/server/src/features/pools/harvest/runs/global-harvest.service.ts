import { type CallAnswer, ERRORS, type ErrorCode } from '@copydesk/contract';
import { admitRun, type RunAction } from '@copydesk/domain/pools';
import { sql } from 'kysely';
import type { Tx, WriteTx } from '../../../../platform/db/database.ts';
import { Refusal } from '../../../../platform/refusal.ts';
import { textOf } from '../act-on-cycle.service.ts';
import { applyHarvestEvent, type SagaDeps } from '../apply-harvest-event.ts';
import { type CycleRow, lockCycles } from '../cycles.store.ts';
import { readFacts } from '../harvest-facts.ts';
import { insertRun } from './runs.store.ts';
import { findFailedItems, findRun } from './runs.views.ts';

type Run = CallAnswer<'POST /api/pooled-accounts/global/harvest'>['data'];

interface RunPool {
  id: string;
  community: string;
}

/** The pools that a run concerns: all active ones, or those that failed in the latest run. */
export async function listRunPools(tx: Tx, action: RunAction): Promise<RunPool[]> {
  const failed = action === 'retry' ? await findFailedItems(tx) : null;
  const { rows } = await sql<RunPool>`
    SELECT p.id, c.name AS community FROM pooled_account p JOIN community c ON c.id = p.community_id
    WHERE p.is_active AND (${failed === null} OR p.id = ANY (${failed?.poolIds ?? []}::uuid[]))
    ORDER BY p.id`.execute(tx.sql);
  return rows;
}

/**
 * Starts or stops all pools in one transaction, or none of them: any refusal answers with the worst code, and the
 * details pool by pool.
 * @throws Refusal the refusals of starting and stopping
 */
export async function runGlobalHarvest(
  tx: WriteTx,
  deps: SagaDeps & { now: () => Date },
  action: RunAction,
): Promise<Run> {
  const pools = await listRunPools(tx, action);
  const now = deps.now();
  const cycles = await lockCycles(
    tx,
    pools.map(({ id }) => id),
  );
  const candidates = [];
  for (const row of cycles)
    candidates.push({
      poolId: row.poolId,
      state: row.state,
      facts: await readFacts(tx, row, { now, personId: tx.actor.id }),
      row,
    });
  const admission = admitRun(action, candidates);
  if (admission.kind === 'refuse') throw refusedRun(admission, pools);
  const moved: CycleRow[] = [];
  for (const { row, facts } of candidates.filter(({ poolId }) => admission.poolIds.includes(poolId))) {
    const event = { kind: action, role: 'super_admin' } as const;
    const decision = await applyHarvestEvent(tx, deps, { row, event, facts });
    if (decision.kind === 'refuse') throw new Error(`an admitted pool refuses: ${decision.code}`);
    moved.push(row);
  }
  const failed = action === 'retry' ? await findFailedItems(tx) : null;
  const goal = failed?.goal ?? (action === 'stop' ? 'stop' : 'start');
  const runId = await insertRun(tx, { action, goal, retriesId: failed?.runId ?? null }, moved);
  tx.audit({
    action: `harvest_run.${action}`,
    target: { kind: 'harvest_run', id: runId },
    after: { pools: moved.map(({ poolId }) => poolId) },
  });
  return (await findRun(tx, runId)) as Run;
}

function refusedRun(
  { code, refusals }: Extract<ReturnType<typeof admitRun>, { kind: 'refuse' }>,
  pools: readonly RunPool[],
): Refusal {
  const nameOf = new Map(pools.map(({ id, community }) => [id, community]));
  const known = (wanted: string) => (wanted in ERRORS ? wanted : 'invalid_status') as ErrorCode;
  return new Refusal(known(code), {
    details: refusals.map((refusal) => ({
      path: refusal.poolId,
      message: `${nameOf.get(refusal.poolId)}: ${textOf(known(refusal.code), refusal.detail)}`,
    })),
  });
}
