import { invoiceIssued } from '@copydesk/domain/ledger';
import { postJournals } from '../../../core/ledger/ledger.service.ts';
import { queueMessages } from '../../../core/outbox/queue-messages.service.ts';
import { lockTraders } from '../../../core/traders/lock-traders.store.ts';
import type { WriteTx } from '../../../platform/db/database.ts';
import { insertUses } from '../differences/deductions.store.ts';
import { applyOpenPayments } from '../payments/payments.service.ts';
import { insertInvoices, type NewInvoice, saveDepositAddresses } from './new-invoices.store.ts';
import { type InvoicePlans, type InvoicingDeps, planInvoices } from './plan-invoices.ts';
import { lineWithout, type RunLine, readDrafted } from './run-lines.store.ts';
import type { ClaimedRun } from './runs.store.ts';

/**
 * Invoices the open positions of these traders: one invoice for each provider and rate, with its journal and its message,
 * in the caller's transaction. A concurrent call for the same traders waits and then finds no positions.
 * @returns what became of each trader
 */
export async function invoiceTraders(
  tx: WriteTx,
  deps: InvoicingDeps,
  { run, traderIds }: { run: Pick<ClaimedRun, 'id' | 'draftedAt'>; traderIds: readonly string[] },
): Promise<RunLine[]> {
  await lockTraders(tx, traderIds);
  const plans = await planInvoices(tx, deps, traderIds, { isIssued: true, until: run.draftedAt });
  const { invoices, lines, at } = run.draftedAt === null ? plans : await asDrafted(tx, run.id, plans);
  if (invoices.length > 0) await issue(tx, invoices, { now: at, runId: run.id });
  return lines;
}

/**
 * A person sends what the draft showed: a trader whose due amount has changed since is left to the next run.
 * Corrections, deductions, rates and other runs change it.
 */
async function asDrafted(tx: WriteTx, runId: string, plans: InvoicePlans): Promise<InvoicePlans> {
  const drafted = await readDrafted(
    tx,
    runId,
    plans.lines.map(({ traderId }) => traderId),
  );
  const lines = plans.lines.map((line) => {
    const shown = drafted.get(line.traderId);
    const isSame =
      shown?.invoices === line.invoices &&
      shown.positions === line.positions &&
      shown.amountUnits === line.amountUnits;
    return isSame ? { ...line, reason: shown.reason } : lineWithout(line.traderId, 'changed');
  });
  const invoiced = new Set(lines.flatMap(({ traderId, invoices }) => (invoices > 0 ? traderId : [])));
  return { ...plans, lines, invoices: plans.invoices.filter(({ traderId }) => invoiced.has(traderId)) };
}

async function issue(
  tx: WriteTx,
  invoices: readonly NewInvoice[],
  { now, runId }: { now: Date; runId: string },
): Promise<void> {
  const addressed = invoices
    .filter(({ due }) => due.depositAddress === null)
    .map(({ traderId, paymentAddress }) => ({ traderId, address: paymentAddress }));
  await saveDepositAddresses(tx, addressed);
  for (const { traderId, address } of addressed)
    tx.audit({
      action: 'trader.deposit_address_given',
      target: { kind: 'trader', id: traderId },
      after: { deposit_address: address },
    });
  await insertInvoices(tx, invoices, { createdAt: now, runId });
  await insertUses(
    tx,
    invoices.flatMap(({ invoiceId, used }) =>
      used.map(({ id, units }) => ({ deductionId: id, invoiceId, units })),
    ),
  );
  await postJournals(
    tx,
    invoices.map((invoice) => ({ draft: invoiceIssued(invoice) })),
  );
  await queueMessages(
    tx,
    invoices.map((invoice) => ({
      kind: 'invoice_created',
      traderId: invoice.traderId,
      providerId: invoice.providerId,
      invoiceId: invoice.invoiceId,
      runId,
      dedupeKey: `invoice_created:${invoice.invoiceId}`,
      facts: {
        amountUnits: invoice.amountUnits,
        outstandingUnits: invoice.amountUnits,
        deductedUnits: deductedOf(invoice),
        offPlatformUnits: 0n,
        invoiceCount: 1,
        dueAt: invoice.dueAt,
        paymentAddress: invoice.paymentAddress,
      },
    })),
  );
  for (const { invoiceId, amountUnits, due, used } of invoices)
    tx.audit({
      action: 'invoice.created',
      target: { kind: 'invoice', id: invoiceId },
      after: {
        trader_id: due.traderId,
        amount_units: amountUnits.toString(),
        positions: due.positionIds.length,
        ...(used.length > 0 && { deducted_units: deductedOf({ used }).toString() }),
      },
    });
  // Applies payments that a trader made before there was an invoice.
  await applyOpenPayments(
    tx,
    invoices.map(({ traderId }) => traderId),
  );
}

const deductedOf = ({ used }: Pick<NewInvoice, 'used'>) => used.reduce((sum, { units }) => sum + units, 0n);
