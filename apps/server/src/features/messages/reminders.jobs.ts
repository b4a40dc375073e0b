import { DUE_SOON_MS, OVERDUE_REACH_MS } from '@copydesk/domain/messages';
import { type QueuedNotice, queueMessages } from '../../core/outbox/queue-messages.service.ts';
import type { Database, WriteTx } from '../../platform/db/database.ts';
import { WORKER_ACTOR } from '../../platform/work/worker-actor.ts';
import {
  type DueInvoice,
  listDueInvoices,
  listNotified,
  lockTradersToRemind,
  suggestDelinquent,
  type WalkedTo,
} from './reminders.store.ts';

/** Invoices per transaction, few enough to release locks quickly. */
const BATCH = 500;

type ReminderKind = 'invoice_due_soon' | 'invoice_overdue';

/**
 * Notifies traders of invoices that are due soon or have become overdue, once each. A trader with an overdue invoice is
 * suggested as delinquent; an operator decides. A repeated run does the rest.
 * @returns how many messages are new
 */
export async function remindOfInvoices({ db, now }: { db: Database; now: () => Date }) {
  const at = now().getTime();
  return {
    dueSoon: await remind(db, 'invoice_due_soon', { from: at, to: at + DUE_SOON_MS }),
    overdue: await remind(db, 'invoice_overdue', { from: at - OVERDUE_REACH_MS, to: at }),
  };
}

async function remind(
  db: Database,
  kind: ReminderKind,
  { from, to }: { from: number; to: number },
): Promise<number> {
  const range = { from: new Date(from), to: new Date(to), limit: BATCH };
  let after: WalkedTo | null = null;
  let notified = 0;
  do {
    const batch: { last: WalkedTo | null; added: number } = await db.write(
      { kind: 'all' },
      WORKER_ACTOR,
      (tx) => remindOfBatch(tx, kind, { ...range, after }),
    );
    after = batch.last;
    notified += batch.added;
  } while (after);
  return notified;
}

/** Processes the next invoices and returns the cursor; null: at the end. */
async function remindOfBatch(
  tx: WriteTx,
  kind: ReminderKind,
  range: Parameters<typeof listDueInvoices>[1],
): Promise<{ last: WalkedTo | null; added: number }> {
  const due = await listDueInvoices(tx, range);
  const notified = await listNotified(
    tx,
    due.map(({ id }) => keyOf(kind, id)),
  );
  const pending = due.filter(({ id }) => !notified.has(keyOf(kind, id)));
  await lockTradersToRemind(
    tx,
    pending.map(({ trader_id }) => trader_id),
  );
  const messages = await queueMessages(
    tx,
    pending.map((invoice) => noticeOf(kind, invoice)),
  );
  if (kind === 'invoice_overdue') await suggest(tx, pending, range.to);
  return { last: due.length < range.limit ? null : (due.at(-1) ?? null), added: messages.size };
}

async function suggest(tx: WriteTx, invoices: readonly DueInvoice[], at: Date): Promise<void> {
  const invoiceOf = new Map(invoices.map(({ trader_id, id }) => [trader_id, id]));
  for (const id of await suggestDelinquent(tx, [...invoiceOf.keys()], at))
    tx.audit({
      action: 'trader.delinquent_suggested',
      target: { kind: 'trader', id },
      after: { invoice_id: invoiceOf.get(id) ?? null },
    });
}

const keyOf = (kind: ReminderKind, invoiceId: string) => `${kind}:${invoiceId}`;

function noticeOf(kind: ReminderKind, invoice: DueInvoice): QueuedNotice {
  return {
    kind,
    traderId: invoice.trader_id,
    providerId: invoice.provider_id,
    invoiceId: invoice.id,
    dedupeKey: keyOf(kind, invoice.id),
    facts: {
      amountUnits: BigInt(invoice.amount_units),
      outstandingUnits: BigInt(invoice.outstanding_units),
      offPlatformUnits: BigInt(invoice.off_platform_units),
      invoiceCount: 1,
      dueAt: invoice.due_at,
      paymentAddress: invoice.payment_address,
    },
  };
}
