import type { AccountType, Exchange } from '@copydesk/domain';
import { sql } from 'kysely';
import type { Tx, WriteTx } from '../../platform/db/database.ts';
import { providerInScope, traderInScope } from '../../platform/db/scope-filter.ts';

export interface NewAccount {
  id: string;
  trader_id: string;
  provider_id: string;
  exchange: Exchange;
  acc_uid: string;
  account_type: AccountType | null;
  master_address: string | null;
  agent_address: string | null;
  may_withdraw: boolean;
  equity: string;
  equity_read_at: Date;
  connected_at: Date;
}

/** Whether a provider may have accounts of this trader: in scope, active, working with its community. */
export async function findConnection(tx: Tx, traderId: string, providerId: string) {
  const { rows } = await sql<{ exchanges: Exchange[]; name: string }>`
    SELECT p.supported_exchanges AS exchanges, p.display_name AS name
    FROM trader t
    JOIN community_provider cp ON cp.community_id = t.community_id AND cp.is_active
    JOIN provider p ON p.id = cp.provider_id AND p.is_active
    WHERE t.id = ${traderId} AND p.id = ${providerId} AND ${traderInScope(tx, 't.id')}
      AND ${providerInScope(tx, 'p.id')}`.execute(tx.sql);
  return rows[0] ?? null;
}

export async function insertAccount(tx: WriteTx, account: NewAccount): Promise<void> {
  await tx.sql.insertInto('exchange_account').values(account).execute();
  await tx.sql
    .insertInto('account_reading')
    .values({ account_id: account.id, provider_id: account.provider_id, exchange: account.exchange })
    .execute();
}

/** An account in scope, locked for a change until the transaction ends. */
export async function findAccountForUpdate(
  tx: WriteTx,
  traderId: string,
  exchange: Exchange,
  accUid: string,
) {
  const row = await tx.sql
    .selectFrom('exchange_account')
    .select(['id', 'provider_id', 'exchange', 'acc_uid'])
    .where('trader_id', '=', traderId)
    .where('exchange', '=', exchange)
    .where('acc_uid', '=', accUid)
    .where('removed_at', 'is', null)
    .where(providerInScope(tx, 'provider_id'))
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

/** Takes an account out of every list and sum. What was closed on it stays, and refers to it. */
export async function removeAccount(tx: WriteTx, accountId: string): Promise<void> {
  const own = (table: 'open_position' | 'account_reading') =>
    tx.sql.deleteFrom(table).where('account_id', '=', accountId).where(providerInScope(tx, 'provider_id'));
  await own('open_position').execute();
  await own('account_reading').execute();
  await tx.sql
    .updateTable('exchange_account')
    .set({ removed_at: sql<Date>`now()`, updated_at: sql<Date>`now()` })
    .where('id', '=', accountId)
    .where(providerInScope(tx, 'provider_id'))
    .execute();
}

/**
 * Puts the accounts of a trader before all others. Those that somebody waits for already, or that are being read
 * at this moment, are left as they are: one read answers all who wait.
 */
export async function requestReading(tx: WriteTx, traderId: string): Promise<void> {
  await sql`
    UPDATE account_reading r
    SET requested_at = now(), refresh_started_at = now(), refresh_failed = false,
      due_at = CASE WHEN r.leased_until > now() THEN r.due_at ELSE now() END
    FROM exchange_account a
    WHERE a.id = r.account_id AND a.trader_id = ${traderId} AND a.removed_at IS NULL
      AND r.requested_at IS NULL AND ${providerInScope(tx, 'a.provider_id')}`.execute(tx.sql);
}
