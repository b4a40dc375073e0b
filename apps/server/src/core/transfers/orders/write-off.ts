import { type OrderActName, type OrderContent, writtenOffUnits } from '@copydesk/domain/access';
import { shortId } from '@copydesk/domain/money';
import { sql } from 'kysely';
import type { Tx, WriteTx } from '../../../platform/db/database.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { requireNothingOnItsWay } from '../../chain/on-its-way.views.ts';
import { traderLabel } from '../../traders/trader-columns.ts';
import { type OrderRules, placeOrder, type Waits, waitsFor } from './place-order.ts';

/** An invoice to be written off, locked. */
export interface WrittenOff {
  invoiceId: string;
  communityId: string;
  status: 'pending' | 'paid' | 'cancelled';
  amountUnits: bigint;
  paidUnits: bigint;
}

/** What an order says when one of its invoices was paid or written off meanwhile. */
export const GONE = 'is not unpaid any more';

/**
 * Orders that invoices are written off, as one order. For a coupon, the amount is its discount. The caller
 * has locked the invoices, and carries the order out unless it waits. Where nothing is unpaid, no order is
 * made.
 * @throws Refusal `payment_on_its_way`, `order_waits`, `write_off_reason_required`
 */
export async function orderWriteOff(
  tx: WriteTx,
  rules: OrderRules,
  act: OrderActName,
  {
    invoices,
    reason,
    facts = {},
  }: {
    invoices: readonly WrittenOff[];
    reason: string | undefined;
    facts?: Readonly<Record<string, string>>;
  },
): Promise<Waits> {
  const units = invoices.reduce((sum, invoice) => sum + writtenOffUnits(invoice), 0n);
  if (units === 0n) return waitsFor({ id: '', needs: [] });
  if (await hasWaiting(tx, invoices)) throw new Refusal('order_waits');
  const communities = new Set(invoices.map(({ communityId }) => communityId));
  const placed = await placeOrder(tx, rules, {
    act,
    communityId: communities.size === 1 ? (invoices[0]?.communityId ?? null) : null,
    poolId: null,
    units,
    traderIds: [],
    content: await writeOffContent(tx, invoices, reason, facts),
  });
  if (placed.needs.length > 0 && !reason) throw new Refusal('write_off_reason_required');
  return waitsFor(placed);
}

/**
 * What the order says, the largest amounts first: an approver of thousands sees those.
 * Nothing is given up while money is on its way, neither when it is ordered nor when it is approved.
 * @param facts besides the reason
 * @throws Refusal `payment_on_its_way`
 */
export async function writeOffContent(
  tx: Tx,
  invoices: readonly WrittenOff[],
  reason: string | undefined,
  facts: Readonly<Record<string, string>> = {},
): Promise<OrderContent> {
  const ids = invoices.map(({ invoiceId }) => invoiceId);
  await requireNothingOnItsWay(tx, ids);
  const { rows } = await sql<{ id: string; trader: string }>`
    SELECT i.id, ${traderLabel('a trader')} AS trader
    FROM invoice i JOIN trader t ON t.id = i.trader_id WHERE i.id = ANY (${ids}::uuid[])`.execute(tx.sql);
  const traderOf = new Map(rows.map(({ id, trader }) => [id, trader]));
  const lines = invoices.map((invoice) => ({
    subjectId: invoice.invoiceId,
    label: `Invoice ${shortId(invoice.invoiceId)} of ${traderOf.get(invoice.invoiceId)}`,
    toAddress: null,
    units: writtenOffUnits(invoice) || null,
  }));
  lines.sort((a, b) => Number((b.units ?? 0n) > (a.units ?? 0n)) - Number((b.units ?? 0n) < (a.units ?? 0n)));
  return { lines, facts: { ...facts, ...(reason && { reason }) } };
}

async function hasWaiting(tx: Tx, invoices: readonly WrittenOff[]): Promise<boolean> {
  const { rows } = await sql`SELECT FROM money_order_line l JOIN money_order o ON o.id = l.order_id
    WHERE l.subject_id = ANY (${invoices.map(({ invoiceId }) => invoiceId)}::uuid[])
      AND o.state = 'awaiting_approval' LIMIT 1`.execute(tx.sql);
  return rows.length > 0;
}
