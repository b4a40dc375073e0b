import { type Database, type Tx, WHOLE_SCOPE } from '../../../../platform/db/database.ts';
import type { Handlers } from '../../../../platform/http/handlers.ts';
import { Refusal } from '../../../../platform/refusal.ts';
import type { SagaDeps } from '../apply-harvest-event.ts';
import { findOwnerWithdrawal, reportWithdrawal } from './owner-report.service.ts';

export type PoolOwnerCall = Extract<keyof Handlers, `${string} /api/pool-owner/${string}`>;

interface PoolOwnerDeps extends SagaDeps {
  db: Database;
  now: () => Date;
}

/** What the owner of a pool can do with the link of a message. The link names one cycle, and allows nothing else. */
export function createPoolOwnerRoutes({ db, now, ...deps }: PoolOwnerDeps): Pick<Handlers, PoolOwnerCall> {
  const read = (token: string): string => {
    const cycleId = deps.links.read(token);
    if (cycleId === null) throw new Refusal('link_invalid');
    return cycleId;
  };
  const answer = async (tx: Tx, cycleId: string) => {
    const data = await findOwnerWithdrawal(tx, cycleId);
    if (!data) throw new Refusal('link_invalid');
    return { success: true as const, data };
  };
  return {
    'POST /api/pool-owner/withdrawal': ({ body }) => {
      const cycleId = read(body.token);
      return db.read(WHOLE_SCOPE, (tx) => answer(tx, cycleId));
    },
    'POST /api/pool-owner/withdrawal/done': ({ body, requestId }) => {
      const cycleId = read(body.token);
      const actor = { kind: 'system', id: 'pool-owner', name: 'Pool owner', requestId } as const;
      return db.write(WHOLE_SCOPE, actor, async (tx) => {
        await reportWithdrawal(tx, deps, { cycleId, now: now() });
        return answer(tx, cycleId);
      });
    },
  };
}
