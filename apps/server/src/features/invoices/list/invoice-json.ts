import { BUSINESS_DEFAULTS } from '@copydesk/domain/settings';
import { type RawBuilder, sql } from 'kysely';
import { traderJson } from '../../../core/traders/trader-columns.ts';
import { isAwaitingApproval } from '../../../core/transfers/orders/orders.store.ts';
import { usdt } from '../../../platform/db/usdt-text.ts';
import { isOverdue } from './invoice-filters.ts';

/**
 * The share of the provider `p` in an invoice `i`, or of an unknown provider, as a fraction. A sale by a bot is shared by
 * its community and the platform: no provider has a part of it.
 */
export const splitOfProvider = sql`CASE WHEN i.invoice_type = 'exchange_bot' THEN 0
  ELSE coalesce(p.payment_split_percentage, ${sql.lit(BUSINESS_DEFAULTS.unknownProviderShare)}::numeric) END`;

/** What a person is asked to send for base units, as `askedUnits` of the domain: whole millionths, rounded up. */
export const asked = (units: RawBuilder<unknown>) =>
  sql`trim_scale(ceil(${units} * 0.000000000001) * 0.000001)::text`;

/** The part of an invoice `i` paid on chain, and the part settled elsewhere. Base units. */
export const onChainUnits = sql`app.on_chain_units(i.paid_units, i.off_platform_units)`;
export const offPlatformUnits = sql`app.settled_elsewhere(i.status, i.settled_by, i.amount_units, i.paid_units, i.off_platform_units)`;

/** An invoice in its wire shape, as columns over `invoice i`, its `trader t` and its `provider p`, for `row_to_json`. */
export const invoiceColumns = sql`
  i.id, i.trader_id, ${usdt(sql`i.amount_units`)} AS amount, ${asked(sql`i.amount_units`)} AS asked_amount,
  ${usdt(sql`i.paid_units`)} AS paid_amount,
  ${usdt(onChainUnits)} AS on_chain_amount, ${usdt(offPlatformUnits)} AS off_platform_amount,
  ${usdt(sql`i.amount_units * ${splitOfProvider}`)} AS provider_share, i.payment_address,
  i.status = 'paid' AS is_paid, i.is_archived, ${isOverdue} AS is_overdue,
  ${isAwaitingApproval(sql`i.id`)} AS is_awaiting_approval, i.status, i.invoice_type, i.community_id,
  i.exchange, ${traderJson()} AS trader,
  CASE WHEN p.id IS NOT NULL THEN json_build_object('id', p.id, 'name', p.display_name) END AS provider,
  app.iso(i.due_at) AS due_at, app.iso(i.created_at) AS created_at, app.iso(i.updated_at) AS updated_at`;
