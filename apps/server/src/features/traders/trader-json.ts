import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { providerInScope, traderInScope } from '../../platform/db/scope-filter.ts';

export interface Include {
  include_aum?: boolean;
  include_exchanges?: boolean;
  include_active_positions?: boolean;
  include_position_history?: boolean;
  include_referrals?: boolean;
  include_referral_code?: boolean;
  include_invoices?: boolean;
}

/** Invoices and positions that a trader's own answer carries; the rest have calls of their own. */
const RECENT_INVOICES = 10;
const RECENT_POSITIONS = 100;

/**
 * A trader in its wire shape, as a JSON expression over `trader t` and `seen` (aum, aum_read_at as the caller
 * may see them). PostgreSQL writes the text; nothing here parses it again.
 * @param accounts JSON expression of the exchange accounts: a list joins them, a single trader asks for its own
 */
export function traderJson(tx: Tx, include: Include, accounts: RawBuilder<unknown>): RawBuilder<unknown> {
  const parts: [boolean | undefined, RawBuilder<unknown>][] = [
    [include.include_aum, sql`'aum', seen.aum, 'aum_read_at', app.iso(seen.aum_read_at)`],
    [include.include_exchanges, sql`'exchanges', ${accounts}`],
    [include.include_active_positions, sql`'active_positions', ${openPositions(tx)}`],
    [include.include_position_history, sql`'position_history', ${positionHistory(tx)}`],
    [include.include_referrals, sql`'referrals', ${referrals(tx)}`],
    [include.include_referral_code, sql`'referral_code', t.referral_code`],
    [include.include_invoices, sql`'invoices', ${invoices(tx)}`],
  ];
  const asked = parts.filter(([isAsked]) => isAsked).map(([, part]) => part);
  return sql`json_build_object(${sql.join([identity, ...asked])})`;
}

const identity = sql`
  'id', t.id, 'status', t.status, 'name', t.name, 'email', t.email,
  'telegram_username', t.telegram_username, 'telegram_user_id', t.telegram_user_id, 'language', t.language,
  'selected_provider_id', t.selected_provider_id, 'reference_number', t.reference_number,
  'community_id', t.community_id, 'external_wallet_address', t.external_wallet_address,
  'last_updated_by', t.last_updated_by,
  'created_at', app.iso(t.created_at), 'updated_at', app.iso(t.updated_at)`;

/**
 * `(trader_id, list)`: the exchange accounts in scope of some traders, as a JSON array each.
 * @param ofTraders the condition on the trader's id
 */
export function accountsOf(tx: Tx, ofTraders: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    SELECT a.trader_id, json_agg(json_build_object(
      'exchange', a.exchange, 'acc_uid', a.acc_uid, 'provider_id', a.provider_id, 'provider_name', p.display_name,
      'equity', a.equity::text, 'equity_read_at', app.iso(a.equity_read_at)) ORDER BY a.exchange, a.acc_uid) AS list
    FROM exchange_account a JOIN provider p ON p.id = a.provider_id
    WHERE a.trader_id ${ofTraders} AND ${providerInScope(tx, 'a.provider_id')}
    GROUP BY a.trader_id)`;
}

const openPositions = (tx: Tx) => sql`(
  SELECT coalesce(json_agg(json_build_object(
    'symbol', o.symbol, 'side', o.side, 'entry_price', o.entry_price::text, 'mark_price', o.mark_price::text,
    'leverage', o.leverage::text, 'contracts', o.contracts::text, 'unrealized_pnl', o.unrealized_pnl::text,
    'exchange', a.exchange, 'acc_uid', a.acc_uid, 'provider_name', p.display_name,
    'read_at', app.iso(o.read_at)) ORDER BY p.display_name, a.acc_uid, o.symbol), '[]')
  FROM open_position o JOIN exchange_account a ON a.id = o.account_id JOIN provider p ON p.id = o.provider_id
  WHERE o.trader_id = t.id AND ${providerInScope(tx, 'o.provider_id')})`;

const positionHistory = (tx: Tx) => sql`json_build_object(
  'total_count', (SELECT count(*) FROM closed_position c
    WHERE c.trader_id = t.id AND ${providerInScope(tx, 'c.provider_id')}),
  'positions', (SELECT coalesce(json_agg(json_build_object(
      'id', c.id, 'symbol', c.symbol, 'side', c.side, 'entry_price', c.entry_price::text,
      'exit_price', c.exit_price::text, 'leverage', c.leverage::text, 'closed_pnl', c.closed_pnl::text,
      'date', app.iso(c.closed_at), 'created_at', app.iso(c.created_at), 'acc_uid', c.acc_uid)
      ORDER BY c.closed_at DESC, c.id), '[]')
    FROM (SELECT c.*, a.acc_uid FROM closed_position c JOIN exchange_account a ON a.id = c.account_id
      WHERE c.trader_id = t.id AND ${providerInScope(tx, 'c.provider_id')}
      ORDER BY c.closed_at DESC, c.id LIMIT ${sql.lit(RECENT_POSITIONS)}) c))`;

const referrals = (tx: Tx) => sql`(
  SELECT json_build_object('count', count(*), 'total_aum', coalesce(sum(${referredAum(tx)}), 0))
  FROM trader r WHERE r.referred_by_trader_id = t.id AND ${traderInScope(tx, 'r.id')})`;

const referredAum = (tx: Tx) =>
  tx.scope.kind === 'all'
    ? sql`r.aum`
    : sql`(SELECT sum(s.aum) FROM trader_provider s
        WHERE s.trader_id = r.id AND s.provider_id = ANY (${[...tx.scope.providerIds]}::uuid[]))`;

const invoices = (tx: Tx) => sql`json_build_object(
  'total_count', (SELECT count(*) FROM invoice i
    WHERE i.trader_id = t.id AND NOT i.is_archived AND ${providerInScope(tx, 'i.provider_id')}),
  'recent_invoices', (SELECT coalesce(json_agg(json_build_object(
      'id', i.id, 'amount', trim_scale(i.amount_units / 1e18)::text, 'is_paid', i.status = 'paid',
      'status', i.status, 'created_at', app.iso(i.created_at)) ORDER BY i.created_at DESC), '[]')
    FROM (SELECT * FROM invoice i
      WHERE i.trader_id = t.id AND NOT i.is_archived AND ${providerInScope(tx, 'i.provider_id')}
      ORDER BY i.created_at DESC LIMIT ${sql.lit(RECENT_INVOICES)}) i))`;
