import type { Exchange } from '@copydesk/domain/catalogue';
import { type ExchangeProblem, LEAST_CORRECTION_USD, type OpenSize } from '@copydesk/domain/trading';
import { sql } from 'kysely';
import type {
  ClosedPosition,
  Equity,
  KeyInfo,
  OpenPositions,
} from '../../../integrations/exchanges/gateway.ts';
import type { Tx, WriteTx } from '../../../platform/db/database.ts';
import { providerInScope } from '../../../platform/db/scope-filter.ts';
import { dueRows, type Held, later } from '../../../platform/work/due-rows.ts';

const ACCOUNTS = dueRows({ table: 'account_reading', key: 'account_id', due: 'due_at' });

/** Exchanges that report when a key ends. */
const TELLING_END: readonly Exchange[] = ['bybit'];

/** An account held exclusively by this worker until its lease ends. */
export interface ClaimedAccount extends Held {
  trader_id: string;
  provider_id: string;
  exchange: Exchange;
  master_address: string | null;
  agent_address: string | null;
  region: string | null;
  read_error: string | null;
  is_requested: boolean;
  /** The exchange says when a key ends, and was not asked for a day. */
  is_key_due: boolean;
  failures: number;
  connected_at: Date;
  closed_known_to: Date | null;
  closed_read_at: Date | null;
  closed_rescanned_at: Date | null;
  closed_since: Date | null;
  closed_until: Date | null;
  closed_cursor: string | null;
  closed_is_rescan: boolean;
  /** As the database writes it; later requests are answered by another turn. */
  requested_at: string | null;
  /** It was removed then: only its closed positions are read, up to then, for the last time. */
  last_read_until: Date | null;
}

/** Claims due accounts of one exchange: requested ones first, then those due longest. */
export async function claimAccounts(
  tx: WriteTx,
  { exchange, limit, leaseMs }: { exchange: Exchange; limit: number; leaseMs: number },
): Promise<ClaimedAccount[]> {
  const take = (condition: ReturnType<typeof sql>, order: ReturnType<typeof sql>, count: number) =>
    ACCOUNTS.claim<ClaimedAccount>(tx, {
      at: null,
      leaseMs,
      pick: sql`
        SELECT d.account_id, a.trader_id, a.master_address, a.agent_address, a.region, a.read_error, a.connected_at,
          a.exchange = ANY (${[...TELLING_END]}) AND (a.key_read_at < now() - interval '1 day') IS NOT FALSE AS is_key_due
        FROM account_reading d JOIN exchange_account a ON a.id = d.account_id
        WHERE d.exchange = ${exchange} AND ${ACCOUNTS.isFree('d', null)} AND ${condition}
        ORDER BY ${order} LIMIT ${count} FOR UPDATE OF d SKIP LOCKED`,
      returning: sql`free.trader_id, r.provider_id, r.exchange, free.master_address, free.agent_address, free.region,
        free.read_error, free.connected_at, free.is_key_due, r.requested_at IS NOT NULL AS is_requested, r.failures,
        r.closed_known_to, r.closed_read_at, r.closed_rescanned_at, r.closed_since, r.closed_until, r.closed_cursor,
        r.closed_is_rescan, r.requested_at::text AS requested_at, r.last_read_until`,
    });
  const requested = await take(sql`d.requested_at IS NOT NULL`, sql`d.requested_at`, limit);
  if (requested.length === limit) return requested;
  return [...requested, ...(await take(sql`true`, sql`d.due_at`, limit - requested.length))];
}

/** Sizes of the open positions at the last reading, by account. */
export async function listOpenSizes(tx: Tx, accountId: string): Promise<OpenSize[]> {
  const { rows } = await sql<OpenSize>`
    SELECT symbol, side, contracts::text FROM open_position
    WHERE account_id = ${accountId} AND ${providerInScope(tx, 'provider_id')}`.execute(tx.sql);
  return rows;
}

export interface ClosedProgress {
  items: ClosedPosition[];
  since: number;
  until: number;
  /** The cursor of the next page; null: at the start of the range. */
  cursor: string | null;
  /** The range is complete. */
  isDone: boolean;
  isRescan: boolean;
}

/** Renews a lease; false when it was lost, and with it the right to write. */
export const renewLease = (tx: WriteTx, account: ClaimedAccount, leaseMs: number): Promise<boolean> =>
  ACCOUNTS.renew(tx, account, { at: null, leaseMs });

/** Ends a turn: saves the next due time and the progress, and marks requests as answered. */
export function finishReading(
  tx: WriteTx,
  account: ClaimedAccount,
  end: { at: number; nextInMs: number; failed: boolean; closed: ClosedProgress | null },
): Promise<boolean> {
  const { at, nextInMs, failed, closed } = end;
  const isDone = closed?.isDone === true;
  const unfinished = closed !== null && !isDone ? closed : null;
  const keeps = closed === null;
  const isAskedAgain = sql`requested_at IS DISTINCT FROM ${account.requested_at}::timestamptz`;
  const time = (ms: number | null | undefined) => (ms === null || ms === undefined ? null : new Date(ms));
  return ACCOUNTS.finish(tx, account, {
    // A request made after this turn began is answered by the next one.
    nextAt: sql`CASE WHEN ${isAskedAgain} THEN now() ELSE ${later(nextInMs)} END`,
    set: sql`finished_at = now(),
      requested_at = CASE WHEN ${isAskedAgain} THEN requested_at END,
      failures = CASE WHEN ${failed} THEN failures + 1 ELSE 0 END,
      refresh_failed = CASE WHEN requested_at IS NULL THEN refresh_failed ELSE ${failed} END,
      closed_known_to = CASE WHEN ${isDone} THEN ${time(closed?.until)} ELSE closed_known_to END,
      closed_read_at = CASE WHEN ${isDone} THEN ${new Date(at)} ELSE closed_read_at END,
      closed_rescanned_at = CASE WHEN ${isDone && closed?.isRescan === true} THEN ${new Date(at)} ELSE closed_rescanned_at END,
      closed_since = CASE WHEN ${keeps} THEN closed_since ELSE ${time(unfinished?.since)} END,
      closed_until = CASE WHEN ${keeps} THEN closed_until ELSE ${time(unfinished?.until)} END,
      closed_cursor = CASE WHEN ${keeps} THEN closed_cursor ELSE ${unfinished?.cursor ?? null} END,
      closed_is_rescan = CASE WHEN ${keeps} THEN closed_is_rescan ELSE ${unfinished?.isRescan ?? false} END`,
  });
}

interface Span {
  since: Date;
  until: Date;
}

/** Notes a time of which closed positions are unknown, beside what was noted before. */
export async function recordUnread(
  tx: WriteTx,
  account: ClaimedAccount,
  { since, until }: Span,
): Promise<void> {
  await sql`
    UPDATE account_reading
    SET unread_since = least(unread_since, ${since}), unread_until = greatest(unread_until, ${until})
    WHERE account_id = ${account.id} AND ${providerInScope(tx, 'provider_id')}`.execute(tx.sql);
}

/**
 * Ends the reading of a removed account, and destroys its key.
 * @param unread the time of which closed positions stay unknown; null: this read left out nothing
 * @param readFrom everything from then to the removal was read, whatever was noted before; null: what was noted remains
 * @returns false when the lease was lost, and nothing was ended
 */
export async function endLastReading(
  tx: WriteTx,
  account: ClaimedAccount,
  { unread, readFrom }: { unread: Span | null; readFrom: Date | null },
): Promise<boolean> {
  const stays = sql`unread_since < ${readFrom}::timestamptz IS NOT FALSE`;
  const isOurs = await ACCOUNTS.finish(tx, account, {
    nextAt: sql`'infinity'`,
    set: sql`finished_at = now(), requested_at = NULL, last_read_until = NULL,
      unread_since = least(CASE WHEN ${stays} THEN unread_since END, ${unread?.since ?? null}::timestamptz),
      unread_until = greatest(CASE WHEN ${stays} THEN unread_until END, ${unread?.until ?? null}::timestamptz)`,
  });
  if (!isOurs) return false;
  await sql`DELETE FROM exchange_credential
    WHERE account_id = ${account.id} AND kept_for_last_read AND ${providerInScope(tx, 'provider_id')}`.execute(
    tx.sql,
  );
  return true;
}

/** Saves equity and open positions. The triggers maintain sums and notify the consoles. */
export async function saveFigures(
  tx: WriteTx,
  account: ClaimedAccount,
  {
    equity,
    open,
    key,
    readError,
  }: {
    equity: Equity;
    open: OpenPositions;
    /** Null: the exchange was not asked about it. */
    key: KeyInfo | null;
    readError: ExchangeProblem | null;
  },
): Promise<void> {
  const { id, trader_id, provider_id } = account;
  await sql`DELETE FROM open_position WHERE account_id = ${id} AND ${providerInScope(tx, 'provider_id')}`.execute(
    tx.sql,
  );
  if (open.positions.length > 0)
    await sql`
      INSERT INTO open_position (account_id, trader_id, provider_id, symbol, side, entry_price, mark_price, leverage,
        contracts, unrealized_pnl, opened_at, read_at)
      SELECT ${id}, ${trader_id}, ${provider_id}, symbol, side, entry_price, mark_price, leverage, contracts,
        unrealized_pnl, to_timestamp(opened_at / 1000.0), ${new Date(open.readAt)}
      FROM json_to_recordset(${JSON.stringify(open.positions.map(openRow))}::json) AS p (symbol text, side text,
        entry_price numeric, mark_price numeric, leverage numeric, contracts numeric, unrealized_pnl numeric,
        opened_at bigint)`.execute(tx.sql);
  await sql`
    UPDATE exchange_account SET equity = ${equity.equityUsd}::numeric, equity_read_at = ${new Date(equity.readAt)},
      read_error = ${readError},
      key_expires_at = CASE WHEN ${key !== null} THEN ${key?.expiresAt ? new Date(key.expiresAt) : null}::timestamptz
        ELSE key_expires_at END,
      key_read_at = CASE WHEN ${key !== null} THEN now() ELSE key_read_at END
    WHERE id = ${id} AND removed_at IS NULL AND ${providerInScope(tx, 'provider_id')}`.execute(tx.sql);
}

/** Notes why an account could not be read. */
export async function saveReadError(
  tx: WriteTx,
  account: ClaimedAccount,
  code: ExchangeProblem,
): Promise<void> {
  await sql`UPDATE exchange_account SET read_error = ${code}
    WHERE id = ${account.id} AND read_error IS DISTINCT FROM ${code} AND removed_at IS NULL
      AND ${providerInScope(tx, 'provider_id')}`.execute(tx.sql);
}

/**
 * Inserts closed positions, and corrects known ones. One that closed while another account or a pool held the exchange
 * account belongs to that. An invoiced one stays as it was invoiced, with what the exchange says since beside it.
 * @returns how many are new
 */
export async function saveClosed(
  tx: WriteTx,
  account: ClaimedAccount,
  items: readonly ClosedPosition[],
): Promise<number> {
  if (items.length === 0) return 0;
  const { id, trader_id, provider_id } = account;
  const given = sql`json_to_recordset(${JSON.stringify(items.map(closedRow))}::json) AS p (venue_id text, symbol text,
    side text, entry_price numeric, exit_price numeric, leverage numeric, contracts numeric, closed_pnl numeric,
    fees_included boolean, opened_at bigint, closed_at bigint)`;
  const { rows } = await sql<{ added: boolean }>`
    INSERT INTO closed_position AS c (account_id, trader_id, provider_id, venue, venue_account, venue_id, symbol, side,
      entry_price, exit_price, leverage, contracts, closed_pnl, fees_included, opened_at, closed_at)
    SELECT DISTINCT ON (venue_id) ${id}::uuid, ${trader_id}::uuid, ${provider_id}::uuid, h.exchange, h.acc_uid, venue_id,
      symbol, side, entry_price, exit_price, leverage, contracts, closed_pnl, fees_included,
      to_timestamp(opened_at / 1000.0), to_timestamp(closed_at / 1000.0)
    FROM ${given} JOIN account_holder h ON h.account_id = ${id}
      AND tstzrange(h.held_from, h.held_until) @> to_timestamp(p.closed_at / 1000.0)
    ON CONFLICT (venue, venue_account, venue_id) WHERE double_of IS NULL DO UPDATE
    SET symbol = excluded.symbol, entry_price = excluded.entry_price, exit_price = excluded.exit_price,
      leverage = coalesce(excluded.leverage, c.leverage), contracts = excluded.contracts,
      closed_pnl = excluded.closed_pnl, fees_included = excluded.fees_included,
      opened_at = coalesce(excluded.opened_at, c.opened_at), closed_at = excluded.closed_at
    WHERE c.account_id = excluded.account_id AND c.invoice_id IS NULL
      AND (c.symbol, c.closed_pnl, c.entry_price, c.exit_price, c.contracts, c.fees_included, c.closed_at)
      IS DISTINCT FROM (excluded.symbol, excluded.closed_pnl, excluded.entry_price, excluded.exit_price,
        excluded.contracts, excluded.fees_included, excluded.closed_at)
    RETURNING xmax = 0 AS added`.execute(tx.sql);
  const corrected = sql`CASE WHEN abs(n.closed_pnl - c.closed_pnl) >= ${sql.lit(LEAST_CORRECTION_USD)} THEN n.closed_pnl END`;
  await sql`
    UPDATE closed_position c SET corrected_pnl = ${corrected},
      corrected_at = CASE WHEN ${corrected} IS NOT NULL THEN now() END
    FROM (SELECT p.venue_id, p.closed_pnl FROM ${given}) n
    WHERE c.account_id = ${id} AND c.venue_id = n.venue_id AND c.invoice_id IS NOT NULL AND n.closed_pnl IS NOT NULL
      AND c.corrected_pnl IS DISTINCT FROM ${corrected}`.execute(tx.sql);
  return rows.filter((row) => row.added).length;
}

function openRow(p: OpenPositions['positions'][number]) {
  return {
    symbol: p.symbol,
    side: p.side,
    entry_price: p.entryPrice,
    mark_price: p.markPrice,
    leverage: p.leverage,
    contracts: p.contracts,
    unrealized_pnl: p.unrealizedPnl,
    opened_at: p.openedAt,
  };
}

function closedRow(p: ClosedPosition) {
  return {
    venue_id: p.venueId,
    symbol: p.symbol,
    side: p.side,
    entry_price: p.entryPrice,
    exit_price: p.exitPrice,
    leverage: p.leverage,
    contracts: p.contracts,
    closed_pnl: p.closedPnl,
    fees_included: p.feesIncluded,
    opened_at: p.openedAt,
    closed_at: p.closedAt,
  };
}
