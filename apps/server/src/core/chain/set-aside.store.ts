import { sql } from 'kysely';
import type { WriteTx } from '../../platform/db/database.ts';
import type { ReceivedTransfer, Token } from './transfer-receiver.ts';

/** Why a transfer is not booked. */
export type SetAsideReason = 'amount_too_large' | 'cannot_be_booked';

/** Stores a transfer that the books cannot take, for review; false when it was already stored. */
export async function setAside(
  tx: WriteTx,
  { chainId, tokenAddress }: Token,
  { transactionHash, logIndex, block, from, to, units }: ReceivedTransfer,
  traderId: string,
  reason: SetAsideReason,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    INSERT INTO deposit_set_aside (chain_id, token_address, transaction_hash, log_index, block_number, block_hash,
      from_address, to_address, amount_units, trader_id, reason)
    VALUES (${chainId}, ${tokenAddress}, ${transactionHash}, ${logIndex}, ${block.number.toString()}, ${block.hash},
      ${from}, ${to}, ${units.toString()}, ${traderId}, ${reason})
    ON CONFLICT (chain_id, transaction_hash, log_index) DO NOTHING`.execute(tx.sql);
  return numAffectedRows === 1n;
}
