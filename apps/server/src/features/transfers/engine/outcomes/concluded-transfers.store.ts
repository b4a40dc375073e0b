import { TRANSFER_MOVES } from '@copydesk/domain/payouts';
import { sql } from 'kysely';
import type { EndedTransfer } from '../../../../core/transfers/transfer.ts';
import type { WriteTx } from '../../../../platform/db/database.ts';

// Saves the outcomes of transfers. For the worker only, which runs in the scope of everything.

export async function saveReceipts(tx: WriteTx, ended: readonly EndedTransfer[]): Promise<void> {
  const receipts = ended.map(({ receipt }) => receipt);
  await sql`
    UPDATE transfer_attempt t SET block_number = n.block_number, block_hash = n.block_hash, is_success = n.is_success,
      fee_wei = n.fee_wei
    FROM unnest(${ended.map(({ attempt }) => attempt.hash)}::text[],
      ${receipts.map(({ blockNumber }) => blockNumber.toString())}::bigint[],
      ${receipts.map(({ blockHash }) => blockHash)}::text[],
      ${receipts.map(({ isSuccess }) => isSuccess)}::boolean[],
      ${receipts.map(({ feeWei }) => feeWei.toString())}::numeric[])
      AS n (hash, block_number, block_hash, is_success, fee_wei)
    WHERE t.hash = n.hash`.execute(tx.sql);
}

export async function endTransfers(
  tx: WriteTx,
  ended: readonly { transferId: string; state: EndedTransfer['state'] }[],
  at: Date,
): Promise<void> {
  await sql`
    UPDATE transfer i SET state = n.state, ended_at = ${at}, problem = NULL, problem_detail = NULL
    FROM unnest(${ended.map(({ transferId }) => transferId)}::uuid[], ${ended.map(({ state }) => state)}::text[])
      AS n (id, state)
    WHERE i.id = n.id AND i.state = ${sql.lit(TRANSFER_MOVES.paid.from)}`.execute(tx.sql);
}
