import {
  type DemoInvoice,
  type DemoPosition,
  type DemoTrader,
  FEES_INCLUDED,
} from '@copydesk/simulators/world';
import type { Cell } from '../copy-rows.ts';

export const INVOICE_COLUMNS = [
  'id',
  'trader_id',
  'community_id',
  'provider_id',
  'invoice_type',
  'exchange',
  'amount_units',
  'paid_units',
  'status',
  'settled_by',
  'is_archived',
  'payment_address',
  'commission_rate',
  'split',
  'due_at',
  'paid_at',
  'created_at',
  'updated_at',
];

/** @param depositAddress the address of an index; null keeps the made-up one */
export function invoiceRow(
  t: DemoTrader,
  i: DemoInvoice,
  depositAddress: (index: number) => string | null,
): Cell[] {
  const split = JSON.stringify(
    i.split.map((part) => ({ recipient_type: part.recipientType, units: part.amountUnits.toString() })),
  );
  return [
    i.id,
    t.id,
    t.community.id,
    i.providerId,
    i.type,
    i.exchange,
    i.amountUnits,
    i.paidUnits,
    i.status,
    i.settledBy,
    i.isArchived,
    depositAddress(t.index) ?? t.depositAddress,
    i.commissionRate,
    split,
    i.dueAt,
    i.paidAt,
    i.createdAt,
    i.paidAt ?? i.createdAt,
  ];
}

export const POSITION_COLUMNS = [
  'id',
  'account_id',
  'trader_id',
  'provider_id',
  'venue',
  'venue_account',
  'venue_id',
  'symbol',
  'side',
  'entry_price',
  'exit_price',
  'leverage',
  'contracts',
  'closed_pnl',
  'fees_included',
  'opened_at',
  'closed_at',
  'invoice_id',
  'created_at',
];

export function positionRow(t: DemoTrader, p: DemoPosition): Cell[] {
  return [
    p.id,
    p.account.id,
    t.id,
    p.account.providerId,
    p.account.exchange,
    p.account.accUid,
    p.venueId,
    p.symbol,
    p.side,
    p.entryPrice,
    p.exitPrice,
    p.leverage,
    p.contracts,
    (p.pnlCents / 100).toFixed(2),
    FEES_INCLUDED[p.account.exchange],
    p.openedAt,
    p.closedAt,
    p.invoiceId,
    p.closedAt,
  ];
}
