import type { CallAnswer } from '@copydesk/contract';
import { unitsToDecimal } from '@copydesk/domain/money';
import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { communityInScope } from '../../platform/db/scope-filter.ts';

type Balance = CallAnswer<'GET /api/communities/{id}/wallet-balance'>['data'];

/**
 * A community's internal wallet according to the books, and the amount still to be consolidated into it. Shares of
 * imported payouts are excluded because the location of their tokens is unknown.
 */
export async function findWalletBalance(
  tx: Tx,
  communityId: string,
  chainId: number,
): Promise<Omit<Balance, 'as_of'> | null> {
  const { rows } = await sql<{
    address: string | null;
    posted: string;
    outside: string;
    frozen_because: string | null;
  }>`
    SELECT c.internal_wallet_address AS address, w.frozen_because,
      coalesce((SELECT b.posted FROM ledger_account a JOIN ledger_balance b ON b.account_id = a.id
        WHERE a.kind = 'community_wallet' AND a.owner_id = c.id AND a.asset = 'USDT'), 0)::text AS posted,
      (SELECT coalesce(sum(y.amount_units), 0)::text FROM payable y
        LEFT JOIN transfer i ON i.id = y.consolidation_id
        LEFT JOIN payout o ON o.id = y.payout_id
        WHERE y.community_id = c.id AND y.paid_at IS NULL AND y.settled_at IS NULL AND i.state IS DISTINCT FROM 'final'
          AND (o.id IS NULL OR o.distribution_id IS NOT NULL)) AS outside
    FROM community c
    LEFT JOIN chain_wallet w ON w.chain_id = ${chainId} AND w.role = 'community' AND w.owner_id = c.id
    WHERE c.id = ${communityId} AND ${communityInScope(tx, 'c.id')}`.execute(tx.sql);
  const [row] = rows;
  return row
    ? {
        address: row.address,
        balance: unitsToDecimal(BigInt(row.posted)),
        to_consolidate: unitsToDecimal(BigInt(row.outside)),
        frozen_because: row.frozen_because,
      }
    : null;
}
