import { sql } from 'kysely';
import type { Token } from '../../../core/chain/transfer-receiver.ts';
import type { WriteTx } from '../../../platform/db/database.ts';

export interface AddressCheck {
  /** In lower case. */
  address: string;
  /** What the chain has beyond the ledger, where no transfer is missing; null: not known, the last such block stays. */
  surplusUnits: bigint | null;
}

/** Notes that addresses were compared as of a block. */
export async function saveChecks(
  tx: WriteTx,
  { chainId, tokenAddress }: Token,
  { blockNumber, at }: { blockNumber: bigint; at: Date },
  checks: readonly AddressCheck[],
): Promise<void> {
  if (checks.length === 0) return;
  await sql`
    INSERT INTO chain_address_check AS k (chain_id, token_address, address, block_number, surplus_units, checked_at)
    SELECT ${chainId}, ${tokenAddress}, n.address,
      CASE WHEN n.surplus IS NOT NULL THEN ${blockNumber.toString()}::bigint END, n.surplus, ${at}
    FROM unnest(${checks.map(({ address }) => address)}::text[],
      ${checks.map(({ surplusUnits }) => surplusUnits?.toString() ?? null)}::numeric[]) AS n (address, surplus)
    ORDER BY n.address
    ON CONFLICT (chain_id, token_address, address) DO UPDATE SET checked_at = excluded.checked_at,
      block_number = coalesce(excluded.block_number, k.block_number),
      surplus_units = coalesce(excluded.surplus_units, k.surplus_units)`.execute(tx.sql);
}
