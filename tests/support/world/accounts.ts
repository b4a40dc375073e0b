import { randomUUID } from 'node:crypto';
import { insertRow, type Owner } from './rows.ts';

/** An account of a trader at an exchange, as if its connection was checked there a month ago. */
export function addAccount(
  owner: Owner,
  trader: { id: string; providerId: string },
  changes: Record<string, unknown> = {},
): Promise<string> {
  return insertRow(owner, 'exchange_account', {
    trader_id: trader.id,
    provider_id: trader.providerId,
    exchange: 'bybit',
    acc_uid: randomUUID(),
    created_at: new Date(Date.now() - 30 * 86_400_000),
    ...changes,
  });
}

interface Account {
  accountId: string;
  /** Its trader. */
  id: string;
  providerId: string;
}

/** The profits of new closed positions of an account, in USD; null where the profit is not known. */
export async function addPositions(
  owner: Owner,
  account: Account,
  ...pnls: (string | null)[]
): Promise<void> {
  await owner(
    `INSERT INTO closed_position (account_id, trader_id, provider_id, venue_id, symbol, side, closed_pnl, closed_at)
     SELECT $1, $2, $3, gen_random_uuid(), 'BTCUSDT', 'long', pnl, now() - interval '1 hour'
     FROM unnest($4::numeric[]) pnl`,
    [account.accountId, account.id, account.providerId, pnls],
  );
}
