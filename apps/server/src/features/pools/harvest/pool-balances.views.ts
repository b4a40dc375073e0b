import { sql } from 'kysely';
import type { AnyTx } from '../../../platform/db/database.ts';
import { communityInScope } from '../../../platform/db/scope-filter.ts';

const KINDS = [
  'pool_proxy',
  'pool_transit',
  'pool_exchange',
  'pool_shortfall',
  'pool_returned',
  'pool_fees_due',
  'pool_unexplained',
] as const;

/** Balances of a pool's own accounts, by the books. Base units. */
export type PoolBalances = Record<(typeof KINDS)[number], bigint>;

/** The balances of pools, by pool. */
export async function readPoolBalances(
  tx: AnyTx,
  poolIds: readonly string[],
): Promise<(poolId: string) => PoolBalances> {
  const { rows } = await sql<{ owner_id: string; kind: (typeof KINDS)[number]; posted: string }>`
    SELECT a.owner_id, a.kind, b.posted::text AS posted
    FROM pooled_account p JOIN ledger_account a ON a.owner_id = p.id AND a.asset = 'USDT' AND a.kind = ANY (${[...KINDS]}::text[])
    JOIN ledger_balance b ON b.account_id = a.id
    WHERE p.id = ANY (${[...poolIds]}::uuid[]) AND ${communityInScope(tx, 'p.community_id')}`.execute(tx.sql);
  const found = new Map<string, PoolBalances>();
  for (const { owner_id: poolId, kind, posted } of rows)
    found.set(poolId, { ...(found.get(poolId) ?? noBalances()), [kind]: BigInt(posted) });
  return (poolId) => found.get(poolId) ?? noBalances();
}

const noBalances = () => Object.fromEntries(KINDS.map((kind) => [kind, 0n])) as PoolBalances;
