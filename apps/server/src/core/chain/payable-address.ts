import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { checkedWalletAddress, refusedWalletAddress } from '../../platform/http/wallet-address.ts';

/**
 * An address that may be paid, in its checksummed form. A payment to one of our own wallets would return as a
 * deposit or get stuck.
 * @param path the field, for the error
 * @throws Refusal `validation_failed`
 */
export async function payableAddress(tx: Tx, path: string, typed: string): Promise<string> {
  const address = checkedWalletAddress(path, typed);
  if (await isOwnWallet(tx, address)) throw refusedWalletAddress(path, 'reserved');
  return address;
}

/** Whether an address is one of our own deposit addresses or wallets, in any scope, or the token's. */
async function isOwnWallet(tx: Tx, address: string): Promise<boolean> {
  const { rows } = await sql<{
    is_own: boolean;
  }>`SELECT app.is_platform_address(${address}) AS is_own`.execute(tx.sql);
  return rows[0]?.is_own ?? false;
}
