import { sql } from 'kysely';
import type { ReceivedTransfer, Token } from '../../core/chain/transfer-receiver.ts';
import type { Tx, WriteTx } from '../../platform/db/database.ts';

// For the worker only, which runs in the scope of everything.

/** Traders by their deposit address in lower case, the newest first: their first payment is to come. */
export async function listDepositAddresses(tx: Tx): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; address: string }>`
    SELECT id, lower(deposit_address) AS address FROM trader WHERE deposit_address IS NOT NULL
    ORDER BY deposit_index DESC`.execute(tx.sql);
  return new Map(rows.map((row) => [row.address, row.id]));
}

/**
 * Traders with an open invoice; an order of a bot is one as well. Archived ones are given up, so no money
 * is expected for them: what arrives is booked as well, at the latest with the addresses that are read again.
 */
export const owingTraders = sql`
  SELECT p.trader_id FROM invoice_part p WHERE p.status = 'pending' AND NOT p.is_archived`;

/** Deposit addresses, in lower case, of traders with an open invoice. */
export async function listOwingAddresses(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ address: string }>`
    SELECT lower(t.deposit_address) AS address FROM trader t
    WHERE t.deposit_address IS NOT NULL AND t.id IN (${owingTraders})`.execute(tx.sql);
  return rows.map(({ address }) => address);
}

export interface NewDeposit {
  id: string;
  traderId: string;
  transactionHash: string;
  units: bigint;
}

/** Inserts transfers and returns the new ones, in the order of the chain. */
export async function insertDeposits(
  tx: WriteTx,
  { chainId, tokenAddress }: Token,
  transfers: readonly ReceivedTransfer[],
): Promise<NewDeposit[]> {
  if (transfers.length === 0) return [];
  const { rows } = await sql<{ id: string; trader_id: string; transaction_hash: string; units: string }>`
    WITH inserted AS (
      INSERT INTO deposit (chain_id, token_address, transaction_hash, log_index, block_number, block_hash,
        from_address, to_address, amount_units, trader_id)
      SELECT ${chainId}, ${tokenAddress}, *
      FROM unnest(${transfers.map(({ transactionHash }) => transactionHash)}::text[],
        ${transfers.map(({ logIndex }) => logIndex)}::integer[],
        ${transfers.map(({ block }) => block.number.toString())}::bigint[],
        ${transfers.map(({ block }) => block.hash)}::text[],
        ${transfers.map(({ from }) => from)}::text[], ${transfers.map(({ to }) => to)}::text[],
        ${transfers.map(({ units }) => units.toString())}::numeric[],
        ${transfers.map(({ ownerId }) => ownerId)}::uuid[])
      ON CONFLICT (chain_id, transaction_hash, log_index) DO NOTHING
      RETURNING id, trader_id, transaction_hash, amount_units, block_number, log_index)
    SELECT id, trader_id, transaction_hash, amount_units::text AS units FROM inserted
    ORDER BY block_number, log_index`.execute(tx.sql);
  return rows.map((row) => ({
    id: row.id,
    traderId: row.trader_id,
    transactionHash: row.transaction_hash,
    units: BigInt(row.units),
  }));
}

export async function setPayments(
  tx: WriteTx,
  payments: readonly { depositId: string; paymentId: string }[],
): Promise<void> {
  await sql`
    UPDATE deposit d SET payment_id = p.payment_id
    FROM unnest(${payments.map(({ depositId }) => depositId)}::uuid[],
      ${payments.map(({ paymentId }) => paymentId)}::uuid[]) AS p (deposit_id, payment_id)
    WHERE d.id = p.deposit_id`.execute(tx.sql);
}
