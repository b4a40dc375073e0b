import { sql } from 'kysely';
import type { Tx, WriteTx } from '../../../platform/db/database.ts';

/** A token on a chain; the address in lower case. */
export interface Token {
  chainId: number;
  tokenAddress: string;
}

export interface ExternalWallet {
  communityId: string;
  /** In lower case. */
  address: string;
}

/** Payouts rarely take longer to become final; a slower one shows with the next regular reading. */
const PAYOUT_HOURS = 24;

/**
 * External wallets without a reading of their present address, with a reading older than a time, or with a later payout
 * of ours.
 */
export async function listDueWallets(
  tx: Tx,
  { chainId, tokenAddress }: Token,
  { readBefore, limit }: { readBefore: Date; limit: number },
): Promise<ExternalWallet[]> {
  const { rows } = await sql<ExternalWallet>`
    SELECT c.id AS "communityId", lower(c.external_wallet_address) AS address
    FROM community c LEFT JOIN community_external_balance e ON e.community_id = c.id
      AND e.chain_id = ${chainId} AND e.token_address = ${tokenAddress}
      AND e.address = lower(c.external_wallet_address)
    WHERE c.external_wallet_address IS NOT NULL AND (e.read_at IS NULL OR e.read_at < ${readBefore}
      OR EXISTS (SELECT FROM payout o
        WHERE o.community_id = c.id AND o.recipient_type = 'community' AND o.status = 'distributed'
          AND o.created_at > e.read_at - make_interval(hours => ${PAYOUT_HOURS}) AND o.updated_at > e.read_at))
    ORDER BY e.read_at NULLS FIRST, c.id LIMIT ${limit}`.execute(tx.sql);
  return rows;
}

/** Saves the readings, unless another worker has read a later block. Skips deleted communities. */
export async function keepBalances(
  tx: WriteTx,
  { chainId, tokenAddress }: Token,
  { blockNumber, readAt }: { blockNumber: bigint; readAt: Date },
  balances: readonly (ExternalWallet & { units: bigint })[],
): Promise<void> {
  const read = balances.map(({ units, ...wallet }) => ({ ...wallet, units: units.toString() }));
  await sql`
    INSERT INTO community_external_balance AS e
      (community_id, chain_id, token_address, address, balance_units, block_number, read_at)
    SELECT c.id, ${chainId}, ${tokenAddress}, r.address, r.units, ${blockNumber.toString()}::bigint, ${readAt}
    FROM jsonb_to_recordset(${JSON.stringify(read)}::jsonb)
      AS r("communityId" uuid, address text, units numeric)
    JOIN community c ON c.id = r."communityId"
    ON CONFLICT (community_id) DO UPDATE SET chain_id = excluded.chain_id,
      token_address = excluded.token_address, address = excluded.address,
      balance_units = excluded.balance_units, block_number = excluded.block_number, read_at = excluded.read_at
    WHERE (e.chain_id, e.token_address, e.address)
        <> (excluded.chain_id, excluded.token_address, excluded.address)
      OR e.block_number <= excluded.block_number`.execute(tx.sql);
}
