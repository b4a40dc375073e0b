import type { OrderContent } from '@copydesk/domain/access';
import type { RecallRefusal } from '@copydesk/domain/invoices';
import { invoiceCancelled } from '@copydesk/domain/ledger';
import { sql } from 'kysely';
import { postJournals } from '../../../core/ledger/ledger.service.ts';
import { queueMessages } from '../../../core/outbox/queue-messages.service.ts';
import { withdrawMessages } from '../../../core/outbox/queue-messages.store.ts';
import type { OrderAct } from '../../../core/transfers/orders/order-act.ts';
import type { OrderRules, Waits } from '../../../core/transfers/orders/place-order.ts';
import { orderWriteOff, writeOffContent } from '../../../core/transfers/orders/write-off.ts';
import type { Tx, WriteTx } from '../../../platform/db/database.ts';
import { providerInScope } from '../../../platform/db/scope-filter.ts';
import { Refusal } from '../../../platform/refusal.ts';
import * as store from '../books/invoices.store.ts';
import type { Changes } from './marking.service.ts';

const BECAUSE: Record<RecallRefusal, string> = {
  other_kind: 'is an order with a bot or the fee of a pool',
  cancelled: 'was cancelled already',
  paid: 'was paid, in part at least',
  archived: 'is archived',
  imported: 'was imported: its positions could not be invoiced again',
  corrected: 'has a position that the exchange corrected afterwards, which this invoice settles',
  payment_on_its_way: 'has a trader whose payment is on its way',
};

/**
 * Recalls locked invoices for which no payment was seen: they are cancelled, and their positions come with a later invoice.
 * Others among several stay. What is no longer asked for is written off, by an order.
 * @throws Refusal `invoice_not_recallable` for one alone, `order_waits`
 */
export async function recallInvoices(
  tx: WriteTx,
  rules: OrderRules,
  invoices: readonly store.LockedInvoice[],
  reason: string,
): Promise<Changes | Waits> {
  const refusals = await listRefusals(tx, invoices);
  const changed = invoices.filter(({ invoiceId }) => !refusals.has(invoiceId));
  const [refusal] = refusals.values();
  if (invoices.length === 1 && refusal)
    throw new Refusal('invoice_not_recallable', { message: `This invoice ${BECAUSE[refusal]}` });
  const unchanged = invoices.length - changed.length;
  if (changed.length === 0) return { changed: 0, unchanged };
  const waits = await orderWriteOff(tx, rules, 'invoices_recalled', { invoices: changed, reason });
  if (waits.order_id) return waits;
  await save(tx, changed, reason);
  return { changed: changed.length, unchanged };
}

async function save(tx: WriteTx, invoices: readonly store.LockedInvoice[], reason: string): Promise<void> {
  const ids = invoices.map(({ invoiceId }) => invoiceId);
  // Before they are cancelled: a trader never saw a message that was not sent, and needs no recall notice.
  await withdrawMessages(
    tx,
    ids.map((id) => `invoice_created:${id}`),
  );
  const known = await listKnown(tx, ids);
  await sql`SELECT app.recall_invoices(${ids}::uuid[])`.execute(tx.sql);
  await postJournals(
    tx,
    invoices.map((invoice) => ({ draft: invoiceCancelled(invoice, { paidUnits: 0n }) })),
  );
  await queueMessages(
    tx,
    invoices
      .filter(({ invoiceId }) => known.has(invoiceId))
      .map((invoice) => ({
        kind: 'invoice_recalled',
        traderId: invoice.traderId,
        providerId: invoice.providerId,
        invoiceId: invoice.invoiceId,
        dedupeKey: `invoice_recalled:${invoice.invoiceId}`,
        facts: {
          amountUnits: invoice.amountUnits,
          outstandingUnits: 0n,
          offPlatformUnits: 0n,
          invoiceCount: 1,
          dueAt: null,
          paymentAddress: null,
        },
      })),
  );
  for (const { invoiceId, amountUnits } of invoices)
    tx.audit({
      action: 'invoice.recalled',
      target: { kind: 'invoice', id: invoiceId },
      before: { status: 'pending' },
      after: { status: 'cancelled', amount_units: amountUnits.toString(), reason },
    });
}

async function listRefusals(
  tx: Tx,
  invoices: readonly store.LockedInvoice[],
): Promise<Map<string, RecallRefusal>> {
  const { rows } = await sql<{ id: string; reason: RecallRefusal | null }>`
    SELECT i.id, app.recall_refusal(i) AS reason FROM invoice i
    WHERE i.id = ANY (${invoices.map(({ invoiceId }) => invoiceId)}::uuid[])
      AND ${providerInScope(tx, 'i.provider_id')}`.execute(tx.sql);
  return new Map(rows.flatMap(({ id, reason }) => (reason === null ? [] : [[id, reason]])));
}

/**
 * Invoices that their trader knows of, or may know of: a message that names it was sent, or is being sent.
 */
async function listKnown(tx: Tx, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    SELECT i.id FROM invoice i WHERE i.id = ANY (${[...ids]}::uuid[]) AND (
      EXISTS (SELECT FROM message m WHERE m.invoice_id = i.id AND (m.state = 'sent' OR m.leased_until IS NOT NULL
        OR (m.state = 'queued' AND m.attempts > 0)))
      OR EXISTS (SELECT FROM message m WHERE m.trader_id = i.trader_id AND m.kind = 'unpaid_invoices'
        AND m.state = 'sent' AND m.created_at >= i.created_at))`.execute(tx.sql);
  return new Set(rows.map(({ id }) => id));
}

const lockRecallable = async (tx: WriteTx, { lines }: OrderContent) => {
  const invoices = await store.lockByIds(
    tx,
    lines.map(({ subjectId }) => subjectId),
  );
  const refusals = await listRefusals(tx, invoices);
  return invoices.filter(({ invoiceId }) => !refusals.has(invoiceId));
};

/** Recalling above the limit of a person. */
export const recallAct: OrderAct = {
  gone: 'cannot be recalled any more',
  async lock(tx, { seen }) {
    await lockRecallable(tx, seen);
  },
  async present(tx, { seen }) {
    return writeOffContent(tx, await lockRecallable(tx, seen), seen.facts.reason);
  },
  async carryOut(tx, { seen }) {
    await save(tx, await lockRecallable(tx, seen), seen.facts.reason ?? '');
  },
};
