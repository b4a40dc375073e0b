import type { Exchange } from '@copydesk/domain/catalogue';
import { type AccountType, CLOSE_OVERLAP_MS } from '@copydesk/domain/trading';
import { sql } from 'kysely';
import type { Tx, WriteTx } from '../../../platform/db/database.ts';
import { communityInScope, providerInScope, traderInScope } from '../../../platform/db/scope-filter.ts';
import { nextLease } from '../../../platform/work/due-rows.ts';
import { findAccounts } from './exchange-accounts.views.ts';

/** Exchanges list some closes this late, so the time right before the last read is uncertain. */
const OVERLAP = sql`make_interval(secs => ${sql.lit(CLOSE_OVERLAP_MS / 1000)})`;

export interface NewAccount {
  id: string;
  trader_id: string;
  provider_id: string;
  exchange: Exchange;
  acc_uid: string;
  account_type: AccountType | null;
  master_address: string | null;
  agent_address: string | null;
  /** The regional platform of the exchange that knows the key; null: its main one. */
  region: string | null;
  /** Null: the exchange does not say. */
  may_withdraw: boolean | null;
  /** Null: never, or the exchange does not say. */
  key_expires_at: Date | null;
  /** Null: the exchange says nothing of a key's end. */
  key_read_at: Date | null;
  equity: string;
  equity_read_at: Date;
  connected_at: Date;
}

/** Whether a provider may have accounts of this trader: in scope, active, linked to its community. */
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

/**
 * Keeps the trader's community from losing its providers until the transaction ends: whoever removes one locks it for
 * an update.
 */
export async function holdCommunityOf(tx: WriteTx, traderId: string): Promise<void> {
  await sql`SELECT FROM community c WHERE ${communityInScope(tx, 'c.id')}
    AND c.id = (SELECT t.community_id FROM trader t WHERE t.id = ${traderId} AND ${traderInScope(tx, 't.id')})
    FOR KEY SHARE`.execute(tx.sql);
}

export async function insertAccount(tx: WriteTx, account: NewAccount): Promise<void> {
  await tx.sql.insertInto('exchange_account').values(account).execute();
  await tx.sql
    .insertInto('account_reading')
    .values({ account_id: account.id, provider_id: account.provider_id, exchange: account.exchange })
    .execute();
}

/**
 * An account in scope, locked for a change until the transaction ends. Locks its reading first, as a worker does when
 * it saves a read; the other order could deadlock.
 */
export async function findAccountForUpdate(
  tx: WriteTx,
  traderId: string,
  exchange: Exchange,
  accUid: string,
) {
  await sql`
    SELECT FROM account_reading r JOIN exchange_account a ON a.id = r.account_id
    WHERE a.trader_id = ${traderId} AND a.exchange = ${exchange} AND a.acc_uid = ${accUid} AND a.removed_at IS NULL
      AND ${providerInScope(tx, 'a.provider_id')} FOR UPDATE OF r`.execute(tx.sql);
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

/**
 * Removes an account from every list and sum. Its closed positions and their read cursor remain and refer to it. A read
 * in progress may no longer write.
 * @param isReadOnce its closed positions are read once more, up to now; else what was not read yet is noted as unread
 */
export async function removeAccount(
  tx: WriteTx,
  accountId: string,
  { at, isReadOnce }: { at: Date; isReadOnce: boolean },
): Promise<void> {
  const known = sql`greatest(a.connected_at, r.closed_known_to - ${OVERLAP})`;
  const isUnread = sql`NOT ${isReadOnce}::boolean AND ${known} < ${at}::timestamptz`;
  await sql`
    UPDATE account_reading r
    SET due_at = CASE WHEN ${isReadOnce}::boolean THEN now() ELSE 'infinity' END, requested_at = NULL,
      leased_until = NULL, lease_number = ${nextLease(sql.ref('lease_number'))}, failures = 0,
      last_read_until = CASE WHEN ${isReadOnce}::boolean THEN ${at}::timestamptz END,
      unread_since = least(r.unread_since, CASE WHEN ${isUnread} THEN ${known} END),
      unread_until = greatest(r.unread_until, CASE WHEN ${isUnread} THEN ${at}::timestamptz END)
    FROM exchange_account a
    WHERE r.account_id = ${accountId} AND a.id = r.account_id AND ${providerInScope(tx, 'r.provider_id')}`.execute(
    tx.sql,
  );
  await tx.sql
    .deleteFrom('open_position')
    .where('account_id', '=', accountId)
    .where(providerInScope(tx, 'provider_id'))
    .execute();
  await tx.sql
    .updateTable('exchange_account')
    .set({ removed_at: at, updated_at: sql<Date>`now()` })
    .where('id', '=', accountId)
    .where(providerInScope(tx, 'provider_id'))
    .execute();
}

/** The newest removed account of the same trader and provider, which a new connection continues. */
export async function findRemoved(
  tx: WriteTx,
  { trader_id, provider_id, exchange, acc_uid }: NewAccount,
): Promise<{ id: string; removed_at: Date } | null> {
  const { rows } = await sql<{ id: string; removed_at: Date }>`
    SELECT id, removed_at FROM exchange_account
    WHERE trader_id = ${trader_id} AND provider_id = ${provider_id} AND exchange = ${exchange}
      AND acc_uid = ${acc_uid} AND removed_at IS NOT NULL AND ${providerInScope(tx, 'provider_id')}
    ORDER BY removed_at DESC LIMIT 1 FOR UPDATE`.execute(tx.sql);
  return rows[0] ?? null;
}

/**
 * Connects a removed account again.
 * @param gap when it was disconnected for so long that positions closed meanwhile do not count: its history is read up
 * to the removal, and continues from now
 */
export async function reviveAccount(
  tx: WriteTx,
  { id, trader_id: _trader, provider_id: _provider, connected_at, ...fields }: NewAccount,
  gap: { removedAt: Date } | null,
): Promise<void> {
  if (gap)
    await sql`
      UPDATE account_reading r
      SET closed_since = coalesce(r.closed_since, greatest(a.connected_at, r.closed_known_to - ${OVERLAP}),
          a.connected_at),
        closed_until = coalesce(r.closed_until, ${gap.removedAt})
      FROM exchange_account a WHERE r.account_id = ${id} AND a.id = r.account_id
        AND ${providerInScope(tx, 'r.provider_id')}`.execute(tx.sql);
  await tx.sql
    .updateTable('exchange_account')
    .set({
      ...fields,
      ...(gap ? { connected_at } : {}),
      removed_at: null,
      read_error: null,
      updated_at: sql<Date>`now()`,
    })
    .where('id', '=', id)
    .where(providerInScope(tx, 'provider_id'))
    .execute();
  // What an exchange had forgotten remains unread; everything else is read again from before the last read.
  const isForgotten = sql`unread_since < closed_known_to - ${OVERLAP}`;
  await sql`UPDATE account_reading SET due_at = now(), failures = 0, leased_until = NULL, lease_number = ${nextLease(sql.ref('lease_number'))},
      last_read_until = NULL, unread_since = CASE WHEN ${isForgotten} THEN unread_since END,
      unread_until = CASE WHEN ${isForgotten} THEN unread_until END
    WHERE account_id = ${id} AND ${providerInScope(tx, 'provider_id')}`.execute(tx.sql);
}

/**
 * Moves the accounts of a trader to the front of the queue. Accounts already requested or being read stay unchanged:
 * one read answers all requests.
 */
async function requestReading(tx: WriteTx, traderId: string): Promise<void> {
  await sql`
    UPDATE account_reading r
    SET requested_at = now(), refresh_started_at = now(), refresh_failed = false,
      due_at = CASE WHEN r.leased_until > now() THEN r.due_at ELSE now() END
    FROM exchange_account a
    WHERE a.id = r.account_id AND a.trader_id = ${traderId} AND a.removed_at IS NULL
      AND r.requested_at IS NULL AND ${providerInScope(tx, 'a.provider_id')}`.execute(tx.sql);
}

/**
 * The same as a person's act, with its audit entry.
 * @returns null: it is requested; else why not
 */
export async function requestRefresh(tx: WriteTx, traderId: string): Promise<'gone' | 'no_accounts' | null> {
  const accounts = await findAccounts(tx, traderId);
  if (!accounts) return 'gone';
  if (accounts.length === 0) return 'no_accounts';
  await requestReading(tx, traderId);
  tx.audit({ action: 'trader.refresh_requested', target: { kind: 'trader', id: traderId } });
  return null;
}
