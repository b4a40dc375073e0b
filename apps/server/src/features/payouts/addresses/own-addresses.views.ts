import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import { communityInScope, traderInScope } from '../../../platform/db/scope-filter.ts';

/**
 * Returns the platform's own addresses among these, in lower case. A payout to one of them would return as a deposit or
 * get stuck.
 * @param addresses in their EIP-55 form, in which ours are stored
 */
export async function findOwnAddresses(
  tx: Tx,
  chainId: number,
  addresses: readonly string[],
): Promise<Set<string>> {
  const lower = addresses.map((address) => address.toLowerCase());
  // Deposit addresses are many, so the query compares them exactly as stored to use their index.
  const { rows } = await sql<{ address: string }>`
    SELECT lower(t.deposit_address) AS address FROM trader t
    WHERE t.deposit_address = ANY (${[...addresses, ...lower]}::text[]) AND ${traderInScope(tx, 't.id')}
    UNION SELECT lower(c.internal_wallet_address) FROM community c
    WHERE lower(c.internal_wallet_address) = ANY (${lower}::text[]) AND ${communityInScope(tx, 'c.id')}
    UNION SELECT lower(a.proxy_address) FROM pooled_account a
    WHERE lower(a.proxy_address) = ANY (${lower}::text[]) AND ${communityInScope(tx, 'a.community_id')}
    UNION SELECT lower(m.deposit_address) FROM pool_member m
    WHERE lower(m.deposit_address) = ANY (${lower}::text[]) AND ${traderInScope(tx, 'm.trader_id')}
    UNION SELECT lower(w.address) FROM chain_wallet w
    WHERE w.chain_id = ${chainId} AND lower(w.address) = ANY (${lower}::text[])`.execute(tx.sql);
  return new Set(rows.map(({ address }) => address));
}
