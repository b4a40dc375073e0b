import { CREDENTIAL_FIELDS, type CredentialField } from '@copydesk/domain/trading';
import { type RawBuilder, sql } from 'kysely';
import { isOwed } from '../../core/traders/owed-invoices.ts';
import type { AnyTx } from '../../platform/db/database.ts';
import { byName } from '../../platform/db/lists/list-query.ts';
import { providerInScope, traderInScope } from '../../platform/db/scope-filter.ts';
import { partOfAum } from './part-of-aum.views.ts';

export interface Include {
  include_aum?: boolean;
  include_exchanges?: boolean;
  include_active_positions?: boolean;
  include_position_history?: boolean;
  include_referrals?: boolean;
  include_referral_code?: boolean;
  include_invoices?: boolean;
  include_standing?: boolean;
}

/** Maximum number of invoices and positions in a trader's answer; other calls return the rest. */
const RECENT_INVOICES = 10;
const RECENT_POSITIONS = 100;

/**
 * A trader in its wire shape, as columns over `trader t`, `seen` (sums within the caller's scope) and `marks` (what the
 * whole decides, `app.trader_marks`) for
 * `row_to_json`. PostgreSQL writes the text; the server does not parse it again.
 * @param accounts JSON expression of the exchange accounts: a list joins them, a single trader selects its own
 */
export function traderColumns(
  tx: AnyTx,
  include: Include,
  accounts: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const parts: [boolean | undefined, RawBuilder<unknown>][] = [
    [
      include.include_aum,
      sql`seen.aum, app.iso(seen.aum_read_at) AS aum_read_at, coalesce(marks.is_part, false) AS aum_is_part,
        trim_scale(seen.pool_capital)::text AS aum_pool_capital, ${unreadAccounts(tx)} AS aum_unread_accounts,
        marks.below_minimum AS below_minimum_balance`,
    ],
    [include.include_exchanges, sql`${accounts} AS exchanges`],
    [include.include_active_positions, sql`${openPositions(tx)} AS active_positions`],
    [include.include_position_history, sql`${positionHistory(tx)} AS position_history`],
    [include.include_referrals, sql`${referrals(tx)} AS referrals`],
    [include.include_referral_code, sql`t.referral_code`],
    [include.include_invoices, sql`${invoices(tx)} AS invoices`],
    [include.include_standing, sql`${standing(tx)} AS standing`],
  ];
  const asked = parts.filter(([isAsked]) => isAsked).map(([, part]) => part);
  return sql.join([identity, suggestion(tx), ...asked]);
}

const identity = sql`
  t.id, t.status, t.name, t.email, t.telegram_username, t.telegram_user_id, t.language, t.selected_provider_id,
  t.reference_number, t.community_id, t.external_wallet_address, t.last_updated_by,
  app.iso(t.created_at) AS created_at, app.iso(t.updated_at) AS updated_at`;

/** Accounts that the sum leaves out, because they were not read yet. */
const unreadAccounts = (
  tx: AnyTx,
) => sql`(SELECT count(*)::int FROM exchange_account x WHERE x.trader_id = t.id
  AND x.removed_at IS NULL AND x.equity IS NULL AND ${providerInScope(tx, 'x.provider_id')})`;

/** Shown while an invoice in the caller's scope is overdue; a paid one no longer suggests a status. */
const suggestion = (tx: AnyTx) => sql`CASE
  WHEN t.suggested_delinquent_at IS NOT NULL AND t.status <> 'delinquent' AND EXISTS (
    SELECT FROM invoice i WHERE i.trader_id = t.id AND i.status = 'pending' AND NOT i.is_archived
      AND i.harvest_cycle_id IS NULL AND i.due_at < now() AND ${providerInScope(tx, 'i.provider_id')})
  THEN app.iso(t.suggested_delinquent_at) END AS suggested_delinquent_at`;

/**
 * `(trader_id, list)`: the exchange accounts in scope of some traders, as a JSON array each. The scope condition is on
 * the provider: a list of providers as a condition on the account leads PostgreSQL to an index by exchange, with eleven
 * lookups per trader.
 * @param ofTraders the condition on the trader's id
 * @param isDetailed includes the fields of the trader's own screen, with masked secrets
 */
export function accountsOf(
  tx: AnyTx,
  ofTraders: RawBuilder<unknown>,
  isDetailed = false,
): RawBuilder<unknown> {
  const details = isDetailed ? sql`, ${accountDetails(tx)}` : sql``;
  return sql`(
    SELECT trader_id, json_agg(row_to_json(account) ORDER BY ${byName('p.display_name')}, a.exchange, a.acc_uid) AS list
    FROM exchange_account a JOIN provider p ON p.id = a.provider_id
    CROSS JOIN LATERAL (SELECT a.exchange, a.acc_uid, a.provider_id, p.display_name AS provider_name,
      a.equity::text, app.iso(a.equity_read_at) AS equity_read_at ${details}) account
    WHERE a.trader_id ${ofTraders} AND a.removed_at IS NULL AND ${providerInScope(tx, 'p.id')}
    GROUP BY trader_id)`;
}

const masked = (tx: AnyTx, field: CredentialField) => sql`(
  SELECT c.masked FROM exchange_credential c WHERE c.account_id = a.id AND c.field = ${sql.lit(field)}
    AND ${providerInScope(tx, 'c.provider_id')}) AS ${sql.ref(field)}`;

const lastReveal = (tx: AnyTx) => sql`(
  SELECT json_build_object('field', c.field, 'at', app.iso(c.revealed_at), 'by', c.revealed_by, 'by_id', c.revealed_by_id)
  FROM exchange_credential c WHERE c.account_id = a.id AND c.revealed_at IS NOT NULL
    AND ${providerInScope(tx, 'c.provider_id')} ORDER BY c.revealed_at DESC LIMIT 1) AS last_reveal`;

const accountDetails = (tx: AnyTx) =>
  sql`a.account_type, a.may_withdraw, a.read_error, a.master_address, a.agent_address,
    p.reveal_super_only, ${lastReveal(tx)},
    ${sql.join(CREDENTIAL_FIELDS.map((field) => masked(tx, field)))}`;

const openPositions = (tx: AnyTx) => sql`(
  SELECT coalesce(json_agg(json_build_object(
    'symbol', o.symbol, 'side', o.side, 'entryPrice', o.entry_price::text, 'markPrice', o.mark_price::text,
    'leverage', trim_scale(o.leverage)::text, 'contracts', o.contracts::text,
    'unrealizedPnl', o.unrealized_pnl::text, 'exchange', a.exchange, 'acc_uid', a.acc_uid,
    'provider_name', p.display_name, 'read_at', app.iso(o.read_at)) ORDER BY ${byName('p.display_name')}, a.acc_uid, o.symbol), '[]')
  FROM open_position o JOIN exchange_account a ON a.id = o.account_id JOIN provider p ON p.id = o.provider_id
  WHERE o.trader_id = t.id AND ${providerInScope(tx, 'o.provider_id')})`;

const positionHistory = (tx: AnyTx) => sql`json_build_object(
  'total_count', (SELECT coalesce(sum(d.positions), 0) FROM closed_position_day d
    WHERE d.trader_id = t.id AND ${providerInScope(tx, 'd.provider_id')}),
  'positions', (SELECT coalesce(json_agg(json_build_object(
      'id', c.id, 'symbol', c.symbol, 'side', c.side, 'entry_price', c.entry_price::text,
      'exit_price', c.exit_price::text, 'leverage', c.leverage::text, 'closed_pnl', c.closed_pnl::text,
      'fees_included', c.fees_included, 'exchange', c.exchange, 'date', app.iso(c.closed_at), 'created_at', app.iso(c.created_at), 'acc_uid', c.acc_uid)
      ORDER BY c.closed_at DESC, c.id), '[]')
    FROM (SELECT c.*, a.acc_uid, a.exchange FROM closed_position c JOIN exchange_account a ON a.id = c.account_id
      WHERE c.trader_id = t.id AND ${providerInScope(tx, 'c.provider_id')}
      ORDER BY c.closed_at DESC, c.id LIMIT ${sql.lit(RECENT_POSITIONS)}) c))`;

const referrals = (tx: AnyTx) => sql`(
  SELECT json_build_object('count', count(*), 'total_aum', trim_scale(coalesce(sum(${referredAum(tx)}), 0))::text)
  FROM trader r WHERE r.referred_by_trader_id = t.id AND ${traderInScope(tx, 'r.id')})`;

const referredAum = (tx: AnyTx) =>
  tx.scope.kind === 'all'
    ? sql`r.aum`
    : sql`(SELECT ${partOfAum} FROM trader_provider s
        WHERE s.trader_id = r.id AND s.provider_id = ANY (${[...tx.scope.providerIds]}::uuid[]))`;

const invoices = (tx: AnyTx) => sql`json_build_object(
  'total_count', (SELECT count(*) FROM invoice i
    WHERE i.trader_id = t.id AND NOT i.is_archived AND ${providerInScope(tx, 'i.provider_id')}),
  'recent_invoices', (SELECT coalesce(json_agg(json_build_object(
      'id', i.id, 'amount', trim_scale(i.amount_units / 1e18)::text, 'is_paid', i.status = 'paid',
      'status', i.status, 'created_at', app.iso(i.created_at)) ORDER BY i.created_at DESC), '[]')
    FROM (SELECT * FROM invoice i
      WHERE i.trader_id = t.id AND NOT i.is_archived AND ${providerInScope(tx, 'i.provider_id')}
      ORDER BY i.created_at DESC LIMIT ${sql.lit(RECENT_INVOICES)}) i))`;

/** Multiplies instead of dividing: a quotient has sixteen digits, and a sum more. */
const standing = (tx: AnyTx) => sql`(
  SELECT json_build_object('owed_amount', trim_scale(owed.units * 1e-18)::text, 'owed_count', owed.count,
    'oldest_owed_at', app.iso(owed.oldest_at), 'pool_count', owed.of_pools, 'failed_messages', failed.count,
    'last_failure', failed.last)
  FROM (SELECT coalesce(sum(i.amount_units - i.paid_units) FILTER (WHERE ${isOwed}), 0) AS units,
      count(*) FILTER (WHERE ${isOwed}) AS count, min(i.created_at) FILTER (WHERE ${isOwed}) AS oldest_at,
      count(*) FILTER (WHERE i.harvest_cycle_id IS NOT NULL) AS of_pools
    FROM invoice i WHERE i.trader_id = t.id AND i.status = 'pending' AND NOT i.is_archived
      AND ${providerInScope(tx, 'i.provider_id')}) owed,
    (SELECT count(*) AS count, (array_agg(json_build_object('problem', m.problem, 'invoice_id', m.invoice_id)
      ORDER BY m.created_at DESC, m.id))[1] AS last
    FROM message m WHERE m.trader_id = t.id AND m.state = 'failed' AND ${providerInScope(tx, 'm.provider_id')}) failed)`;
