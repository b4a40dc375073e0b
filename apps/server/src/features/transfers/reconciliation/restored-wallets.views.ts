import type { FreezeReason } from '@copydesk/domain/payouts';
import { sql } from 'kysely';
import type { WalletRole } from '../../../integrations/chain/wallet-keys.ts';
import type { Tx } from '../../../platform/db/database.ts';

/** An address of ours, as a database knows it that may have been restored. */
export interface OwnWallet {
  /** Null: an address that has sent nothing as far as the books know, so it has no wallet's row yet. */
  id: string | null;
  role: WalletRole;
  /** In lower case. */
  address: string;
  /** The first nonce that the books have not assigned. */
  nextNonce: number;
  frozenBecause: FreezeReason | null;
  /** The balance in the ledger, base units; null: transfers of it are in progress, so it cannot be compared. */
  ledgerUnits: bigint | null;
  /** Community or trader, for people. */
  owner: string | null;
}

interface Row extends Omit<OwnWallet, 'nextNonce' | 'ledgerUnits'> {
  next_nonce: string;
  units: string | null;
}

/**
 * Wallets, frozen or not, and addresses of ours that have no wallet's row yet, by address.
 * @param options.after the cursor: continues after this address
 * @param options.withDeposits whether deposit addresses without a wallet's row, which are many, are listed as well
 */
export async function listOwnWallets(
  tx: Tx,
  {
    chainId,
    after,
    limit,
    withDeposits,
  }: { chainId: number; after: string; limit: number; withDeposits: boolean },
): Promise<OwnWallet[]> {
  const { rows } = await sql<Row>`
    WITH busy AS MATERIALIZED (
      SELECT i.wallet_id, i.community_id, i.kind, lower(i.to_address) AS recipient FROM transfer i WHERE i.state = 'sent')
    SELECT a.id, a.role, a.address, a.next_nonce::text AS next_nonce, a.frozen_because AS "frozenBecause",
      CASE WHEN NOT EXISTS (SELECT FROM busy b WHERE b.wallet_id = a.id OR b.recipient = a.address
          OR b.community_id = a.owner_id AND b.kind = 'consolidate')
        THEN coalesce(b.posted, 0)::text END AS units,
      coalesce(c.name, t.reference_number) AS owner
    FROM (
      SELECT w.id, w.role, lower(w.address) AS address, w.next_nonce, w.owner_id, w.frozen_because
      FROM chain_wallet w WHERE w.chain_id = ${chainId}
      UNION ALL
      SELECT NULL, o.role, lower(o.address), 0, o.owner_id, NULL
      FROM (
        SELECT 'community' AS role, c.internal_wallet_address AS address, c.id AS owner_id FROM community c
        UNION ALL SELECT 'deposit', t.deposit_address, t.id FROM trader t
        UNION ALL SELECT 'pool_proxy', p.proxy_address, p.id FROM pooled_account p
        UNION ALL SELECT 'pool_deposit', m.deposit_address, m.id FROM pool_member m) o
      WHERE (${withDeposits} OR o.role IN ('community', 'pool_proxy')) AND o.address IS NOT NULL AND NOT EXISTS (
        SELECT FROM chain_wallet w WHERE w.chain_id = ${chainId} AND lower(w.address) = lower(o.address))) a
    LEFT JOIN community c ON c.id = a.owner_id
    LEFT JOIN trader t ON t.id = a.owner_id
    LEFT JOIN ledger_account l ON l.owner_id = a.owner_id AND l.asset = 'USDT'
      AND l.kind = CASE a.role WHEN 'deposit' THEN 'deposit_wallet' WHEN 'pool_deposit' THEN 'pool_deposit_wallet'
        WHEN 'pool_proxy' THEN 'pool_proxy' WHEN 'community' THEN 'community_wallet' END
    LEFT JOIN ledger_balance b ON b.account_id = l.id
    WHERE a.address > ${after} COLLATE "C"
    ORDER BY a.address COLLATE "C" LIMIT ${limit}`.execute(tx.sql);
  return rows.map(({ next_nonce, units, ...wallet }) => ({
    ...wallet,
    nextNonce: Number(next_nonce),
    ledgerUnits: units === null ? null : BigInt(units),
  }));
}

/** Of these transactions, the ones that were signed here. */
export async function listKnownHashes(tx: Tx, hashes: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ hash: string }>`
    SELECT hash FROM transfer_attempt WHERE hash = ANY (${[...hashes]}::text[])`.execute(tx.sql);
  return new Set(rows.map(({ hash }) => hash));
}
