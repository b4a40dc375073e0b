import { DUE_SOON_MS, OVERDUE_REACH_MS } from '@copydesk/domain';
import type { Database, WriteTx } from '../../platform/db/database.ts';
import { WORKER_ACTOR } from '../../platform/jobs/worker-actor.ts';
import { type Notice, queueMessages } from './queue-messages.service.ts';
import { type DueInvoice, listDueInvoices, suggestDelinquent } from './reminders.store.ts';

/** Invoices of one transaction: short enough that nobody waits for the rows it holds. */
const BATCH = 200;

type ReminderKind = 'invoice_due_soon' | 'invoice_overdue';

/**
 * Tells traders of invoices that are due soon or have become overdue, of each once. Who has an overdue one is
 * suggested as delinquent; a person decides. Run again, it does what is left.
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
  const range = { kind, from: new Date(from), to: new Date(to), limit: BATCH };
  let told = 0;
  for (;;) {
    const { found, added } = await db.write({ kind: 'all' }, WORKER_ACTOR, async (tx) => {
      const invoices = await listDueInvoices(tx, range);
      return { found: invoices.length, added: await remindOf(tx, kind, invoices, range.to) };
    });
    told += added;
    if (found < BATCH) return told;
  }
}

async function remindOf(
  tx: WriteTx,
  kind: ReminderKind,
  invoices: readonly DueInvoice[],
  at: Date,
): Promise<number> {
  const messages = await queueMessages(
    tx,
    invoices.map((invoice) => noticeOf(kind, invoice)),
  );
  if (kind === 'invoice_overdue') {
    const traderIds = await suggestDelinquent(
      tx,
      invoices.map(({ trader_id }) => trader_id),
      at,
    );
    for (const id of traderIds)
      tx.audit({
        action: 'trader.delinquent_suggested',
        target: { kind: 'trader', id },
        after: { invoice_id: invoices.find(({ trader_id }) => trader_id === id)?.id ?? null },
      });
  }
  return messages.size;
}

function noticeOf(kind: ReminderKind, invoice: DueInvoice): Notice {
  return {
    kind,
    traderId: invoice.trader_id,
    providerId: invoice.provider_id,
    invoiceId: invoice.id,
    dedupeKey: `${kind}:${invoice.id}`,
    facts: {
      amountUnits: BigInt(invoice.amount_units),
      outstandingUnits: BigInt(invoice.outstanding_units),
      invoiceCount: 1,
      dueAt: invoice.due_at,
      paymentAddress: invoice.payment_address,
    },
  };
}
