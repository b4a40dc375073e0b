import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';

const MOVED_DAYS = 30;

/**
 * Addresses of ours, in lower case, that owe or moved in the last 30 days: those of pools, the wallets that pay, and
 * the deposit addresses of traders with a pending invoice, a deposit or a transfer. One column, `address`.
 */
export function movingAddresses(now: Date): RawBuilder<unknown> {
  const since = new Date(now.getTime() - MOVED_DAYS * 86_400_000);
  return sql`
    SELECT lower(t.deposit_address) AS address FROM trader t
    WHERE t.deposit_address IS NOT NULL AND t.id IN (
      SELECT p.trader_id FROM invoice_part p WHERE p.status = 'pending')
    UNION SELECT lower(d.to_address) FROM deposit d WHERE d.created_at >= ${since}
    UNION SELECT lower(m.deposit_address) FROM pool_member m WHERE m.deposit_address IS NOT NULL
    UNION SELECT lower(p.proxy_address) FROM pooled_account p WHERE p.proxy_address IS NOT NULL
    UNION SELECT lower(w.address) FROM chain_wallet w
    WHERE w.role <> 'deposit' OR EXISTS (SELECT FROM transfer i
      WHERE i.wallet_id = w.id AND (i.state IN ('planned', 'sent') OR i.ended_at >= ${since}))`;
}

export async function listMovingAddresses(tx: Tx, now: Date): Promise<Set<string>> {
  const { rows } = await sql<{ address: string }>`${movingAddresses(now)}`.execute(tx.sql);
  return new Set(rows.map(({ address }) => address));
}
