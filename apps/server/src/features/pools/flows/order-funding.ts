import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { orderPoolFunding } from '../../../core/transfers/ordered-transfers.store.ts';
import type { WriteTx } from '../../../platform/db/database.ts';
import type { PoolTransferDeps } from './order-flows.ts';

interface PlannedFunding {
  cycleId: string;
  attempt: number;
}

/** Orders the transfer of a planned attempt to the approved address at the exchange. */
export async function orderFunding(
  tx: WriteTx,
  place: Pick<PoolTransferDeps, 'chainId' | 'tokenAddress'>,
  { cycleId, attempt }: PlannedFunding,
): Promise<void> {
  await sql`SELECT FROM harvest_funding f WHERE f.cycle_id = ${cycleId} AND f.attempt = ${attempt} FOR NO KEY UPDATE`.execute(
    tx.sql,
  );
  const id = randomUUID();
  await orderPoolFunding(tx, place, { id, cycleId, attempt });
  const { rows } = await sql`SELECT FROM transfer WHERE id = ${id}`.execute(tx.sql);
  if (rows.length === 0) throw new Error(`the funding ${cycleId}:${attempt} cannot be ordered`);
}
