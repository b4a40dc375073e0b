import { TRANSFER_MOVES } from '@copydesk/domain/payouts';
import { lockCommunities } from '../../../../core/transfers/communities.store.ts';
import type { Transfer } from '../../../../core/transfers/transfer.ts';
import { stopPayments } from '../../../../core/transfers/transfer-gate.store.ts';
import { allPurposes, auditTargetOf } from '../../../../core/transfers/transfer-purpose.ts';
import { WHOLE_SCOPE } from '../../../../platform/db/database.ts';
import { retryConflicts } from '../../../../platform/db/retry-conflicts.ts';
import { WORKER_ACTOR } from '../../../../platform/work/worker-actor.ts';
import type { TransferEngine } from '../engine.ts';
import { lockTransfers } from '../transfers.store.ts';
import { countNotBacked, readRefused, voidNotBacked } from './facts.store.ts';

/**
 * Ends planned transfers that no fact allows. Nothing was signed; their purposes decide what becomes of the money, as
 * for a transfer that moved nothing. The wallet goes on with the others. Each is an alarm: an order changed after it was
 * made, or a transfer was written that no person ordered. Too many of them within an hour stop all payments.
 */
export async function setAsideNotBacked(
  engine: TransferEngine,
  transfers: readonly Transfer[],
): Promise<void> {
  const { db, log, now, purposes } = engine;
  const noted = await retryConflicts(() =>
    db.write(WHOLE_SCOPE, WORKER_ACTOR, async (tx) => {
      await lockCommunities(
        tx,
        transfers.flatMap(({ communityId }) => communityId ?? []),
      );
      const ids = transfers.map(({ id }) => id);
      const planned = await lockTransfers(tx, ids, TRANSFER_MOVES.set_aside.from);
      // Reads again under the lock: the fact may allow the transfer now.
      const { refused: found } = await readRefused(
        engine,
        tx,
        transfers.filter(({ id }) => planned.has(id)),
      );
      const whyOf = new Map(found.map(({ id, why }) => [id, why]));
      const ended = transfers.filter(({ id }) => whyOf.has(id));
      if (ended.length === 0) return [];
      await voidNotBacked(tx, found, now());
      for (const [kind, purpose] of allPurposes(purposes)) {
        const ofKind = ended.filter((transfer) => transfer.kind === kind);
        if (ofKind.length > 0) await purpose.onAbandoned?.(tx, ofKind, 'not_backed');
      }
      for (const transfer of ended)
        tx.audit({
          action: 'transfer.set_aside',
          target: auditTargetOf(purposes, transfer),
          after: {
            kind: transfer.kind,
            because: whyOf.get(transfer.id) ?? null,
            to: transfer.to,
            units: transfer.units.toString(),
          },
        });
      return ended.map(({ id, kind, to }) => ({ id, kind, to, why: whyOf.get(id) }));
    }),
  );
  for (const transfer of noted) log.error(transfer, 'a transfer was set aside: no fact allows it');
  if (noted.length > 0) await stopAfterMany(engine);
}

const HOUR_MS = 3_600_000;

async function stopAfterMany({ db, log, now, stopAfterSetAside }: TransferEngine): Promise<void> {
  if (stopAfterSetAside === 0) return;
  const count = await retryConflicts(() =>
    db.write(WHOLE_SCOPE, WORKER_ACTOR, async (tx) => {
      const found = await countNotBacked(tx, new Date(now().getTime() - HOUR_MS));
      if (found < stopAfterSetAside) return null;
      const reason = `${found} transfers were set aside within an hour: no fact allows them`;
      return (await stopPayments(tx, { origin: 'alert', reason })) ? found : null;
    }),
  );
  if (count !== null)
    log.error({ setAside: count }, 'all payments are stopped: too many transfers were set aside');
}
