import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import { communityInScope } from '../../../platform/db/scope-filter.ts';

/** The proxy wallet of a pool on a chain; null until it is set up. */
export async function findProxyWallet(
  tx: Tx,
  chainId: number,
  poolId: string,
): Promise<{ id: string; address: string } | null> {
  const { rows } = await sql<{ id: string; address: string }>`
    SELECT w.id, w.address FROM chain_wallet w JOIN pooled_account p ON p.id = w.owner_id
    WHERE w.chain_id = ${chainId} AND w.role = 'pool_proxy' AND p.id = ${poolId}
      AND lower(w.address) = lower(p.proxy_address) AND ${communityInScope(tx, 'p.community_id')}`.execute(
    tx.sql,
  );
  return rows[0] ?? null;
}
