import type { PooledAccount } from '@copydesk/contract/pools';
import type { Scope } from '@copydesk/domain/access';
import { resolutionsOf } from '@copydesk/domain/pools';
import pLimit from 'p-limit';
import type { PayoutRules } from '../../../core/settings/payout-rules.ts';
import type { Actor } from '../../../platform/audit/audit.ts';
import type { Database, Tx } from '../../../platform/db/database.ts';
import type { Handlers } from '../../../platform/http/handlers.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { askExchange } from '../exchange/ask-exchange.ts';
import { findPool } from '../pools.views.ts';
import {
  type ActDeps,
  actOnCycle,
  closeAllGates,
  closeGateBeforeRefusal,
  confirmResolution,
  lockSeen,
} from './act-on-cycle.service.ts';
import { orderDepositAddress } from './address/deposit-address.service.ts';
import { type CycleRow, readCycles } from './cycles.store.ts';
import { findProgress } from './progress.views.ts';
import { replaceProposal } from './resolutions.store.ts';
import { listRunPools, runGlobalHarvest } from './runs/global-harvest.service.ts';

export type HarvestCall =
  | 'POST /api/pooled-accounts/{id}/harvest'
  | `${'GET' | 'POST'} /api/pooled-accounts/{id}/harvest/${'progress' | 'resolution'}`
  | 'POST /api/pooled-accounts/{id}/harvest/resolution/{resolutionId}/confirm'
  | 'PUT /api/pooled-accounts/{id}/deposit-address'
  | `POST /api/pooled-accounts/global/${'harvest' | 'close-gates'}`;
type HarvestRoutes = Pick<Handlers, Extract<keyof Handlers, HarvestCall>>;

interface HarvestDeps extends ActDeps {
  db: Database;
  rules: PayoutRules;
}

/** Accounts read at a time before a global run. */
const READS_AT_ONCE = 16;

/** Acts on harvest cycles, one pool or all of them, and how far they have come. */
export function createHarvestRoutes(deps: HarvestDeps): HarvestRoutes {
  const { db } = deps;

  const findCycle = async (scope: Scope, poolId: string): Promise<CycleRow> => {
    const [cycle] = await db.read(scope, (tx) => readCycles(tx, [poolId]));
    if (!cycle) throw new Refusal('not_found');
    return cycle;
  };

  /**
   * Has what an act needs to know about the exchange read right before it.
   * @throws Refusal `pool_inactive`: the account may be another pool's; `pool_not_connected`, `exchange_refused`, `exchange_unavailable`
   */
  async function readFor(actor: Actor, action: string, { poolId, isActive, isConnected, state }: CycleRow) {
    const isStopped = state.status === 'stopped';
    const needsEvidence = (action === 'start' && isStopped) || (action === 'abort' && !isStopped);
    const needsAddress = action === 'stop' && state.status === 'harvesting';
    if (!needsEvidence && !needsAddress) return;
    if (action === 'start' && !isActive) throw new Refusal('pool_inactive');
    if (!isConnected) throw new Refusal('pool_not_connected');
    const kind = needsAddress ? 'address' : action === 'abort' ? 'withdrawal' : 'check';
    await askExchange(db, actor, { kind, poolId });
  }

  /** A pool that cannot be read refuses the run: its last read is too old. */
  const tryRead = (actor: Actor, action: string, cycle: CycleRow): Promise<void> =>
    readFor(actor, action, cycle).catch((error) => {
      if (!(error instanceof Refusal)) throw error;
    });

  const progressOf = async (tx: Tx, poolId: string, callerId: string) => {
    const data = await findProgress(tx, deps, { poolId, callerId });
    if (!data) throw new Refusal('not_found');
    return { success: true as const, data };
  };

  return {
    'POST /api/pooled-accounts/{id}/harvest': async ({ params: { id }, body, once, scope, actor }) => {
      const { action, version, evidence_id: evidenceId } = body;
      await readFor(actor, action, await findCycle(scope, id));
      // Before the call's own transaction: a refusal undoes that one, and a repeat gets the stored answer.
      const closeGate = async () =>
        action === 'stop'
          ? db.write(scope, actor, (tx) =>
              closeGateBeforeRefusal(tx, deps, { poolId: id, version, now: deps.now() }),
            )
          : null;
      return once(async (tx, closed: number | null) => {
        await actOnCycle(tx, deps, id, { action, version: closed ?? version, evidenceId });
        return { success: true, data: (await findPool(tx, id)) as PooledAccount };
      }, closeGate);
    },
    'GET /api/pooled-accounts/{id}/harvest/progress': ({ scope, actor, params: { id } }) =>
      db.read(scope, (tx) => progressOf(tx, id, actor.id)),
    'POST /api/pooled-accounts/{id}/harvest/resolution': ({ params: { id }, body, actor, once }) =>
      once(async (tx) => {
        const { kind, evidence, version } = body;
        const row = await lockSeen(tx, id, version);
        const { status, step } = row.state;
        const ways = status === 'failed' ? resolutionsOf(step, row.failure).kinds : (['abort'] as const);
        if (!(ways as readonly string[]).includes(kind)) throw new Refusal('invalid_status');
        await replaceProposal(tx, row, { kind, evidence });
        tx.audit({
          action: 'harvest.resolution_proposed',
          target: { kind: 'pool', id },
          after: { cycle_id: row.id, version, kind, evidence },
        });
        return progressOf(tx, id, actor.id);
      }),
    'POST /api/pooled-accounts/{id}/harvest/resolution/{resolutionId}/confirm': async ({
      params: { id, resolutionId },
      scope,
      actor,
      once,
    }) => {
      const cycle = await findCycle(scope, id);
      if (cycle.state.status !== 'failed') await readFor(actor, 'abort', cycle);
      return once(async (tx) => {
        await confirmResolution(tx, deps, id, resolutionId);
        return progressOf(tx, id, actor.id);
      });
    },
    'PUT /api/pooled-accounts/{id}/deposit-address': ({ params: { id }, body, actor, once }) =>
      once(async (tx) => {
        const waits = await orderDepositAddress(tx, deps, id, body.address);
        const { data } = await progressOf(tx, id, actor.id);
        return { success: true, data: { ...data, ...waits } };
      }),
    'POST /api/pooled-accounts/global/harvest': async ({ scope, actor, body: { action }, once }) => {
      const pools = await db.read(scope, (tx) => listRunPools(tx, action));
      const cycles = await db.read(scope, (tx) =>
        readCycles(
          tx,
          pools.map(({ id }) => id),
        ),
      );
      const limit = pLimit(READS_AT_ONCE);
      await Promise.all(cycles.map((cycle) => limit(() => tryRead(actor, action, cycle))));
      return once(async (tx) => ({ success: true, data: await runGlobalHarvest(tx, deps, action) }));
    },
    'POST /api/pooled-accounts/global/close-gates': ({ once }) =>
      once(async (tx) => {
        const pools = await listRunPools(tx, 'stop');
        const ids = pools.map(({ id }) => id);
        return { success: true, data: { pools: await closeAllGates(tx, deps, ids) } };
      }),
  };
}
