import { sql } from 'kysely';
import { voidReservations } from '../../../core/ledger/reservations.service.ts';
import { listOpenReservations } from '../../../core/ledger/reservations.views.ts';
import type { WriteTx } from '../../../platform/db/database.ts';
import { queueAgain, reservationId } from './withdrawals.store.ts';

/** Puts withdrawals whose payment has not begun back into the queue, when the pool stops. */
export async function releaseReservations(tx: WriteTx, poolId: string): Promise<void> {
  const { rows } = await sql<{ requestId: string; attempt: number }>`
    SELECT w.id AS "requestId", w.attempt FROM pool_withdrawal w
    WHERE w.pooled_account_id = ${poolId} AND w.state = 'reserved' ORDER BY w.id FOR NO KEY UPDATE`.execute(
    tx.sql,
  );
  await releaseWithdrawals(tx, rows);
}

/** Ends the reservations of withdrawals that were not paid, and queues them again. */
export async function releaseWithdrawals(
  tx: WriteTx,
  withdrawals: readonly { requestId: string; attempt: number }[],
): Promise<void> {
  if (withdrawals.length === 0) return;
  await voidReservations(
    tx,
    await listOpenReservations(tx, 'pool_withdrawal', withdrawals.map(reservationId)),
  );
  await queueAgain(
    tx,
    withdrawals.map(({ requestId }) => requestId),
  );
}
