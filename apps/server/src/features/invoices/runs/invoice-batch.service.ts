import { randomUUIDv7 } from 'node:crypto';
import { deductFrom, type OpenDeduction, planInvoice } from '@copydesk/domain/invoices';
import { invoiceIssued } from '@copydesk/domain/ledger';
import { postJournals } from '../../../core/ledger/ledger.service.ts';
import { queueMessages } from '../../../core/outbox/queue-messages.service.ts';
import type { LiveSettings } from '../../../core/settings/live-settings.ts';
import { lockTraders } from '../../../core/traders/lock-traders.store.ts';
import type { DepositAddresses } from '../../../integrations/chain/deposit-addresses.ts';
import type { WriteTx } from '../../../platform/db/database.ts';
import { deductionKey, insertUses, listDeductions } from '../differences/deductions.store.ts';
import { applyOpenPayments } from '../payments/payments.service.ts';
import { type DueInvoice, lockDueInvoices } from './due-positions.views.ts';
import { insertInvoices, type NewInvoice, saveDepositAddresses } from './new-invoices.store.ts';
import type { BatchResult, ProblemReason } from './runs.store.ts';

export interface InvoicingDeps {
  /** Null when no account key is configured: a trader without an address cannot be invoiced yet. */
  addresses: DepositAddresses | null;
  settings: Pick<LiveSettings, 'current'>;
  now: () => Date;
}

/**
 * Invoices the open positions of these traders: one invoice for each provider and rate, with its journal and its message,
 * in the caller's transaction. A concurrent call for the same traders waits and then finds no positions.
 */
export async function invoiceTraders(
  tx: WriteTx,
  deps: InvoicingDeps,
  { runId, traderIds }: { runId: string; traderIds: readonly string[] },
): Promise<BatchResult> {
  await lockTraders(tx, traderIds);
  const problems = new Map<string, ProblemReason>();
  const drafts: Draft[] = [];
  const now = deps.now();
  const deductions = await listDeductions(tx, traderIds);
  for (const due of await lockDueInvoices(tx, traderIds)) {
    if (!due.isInvoicingEnabled) continue;
    const made = draftInvoice(due, deps, now);
    if ('draft' in made) drafts.push(made.draft);
    else if (made.reason) problems.set(due.traderId, made.reason);
  }
  const invoices = deduct(drafts, deductions);
  if (invoices.length > 0) await issue(tx, invoices, { now, runId });
  return {
    lastTraderId: traderIds.at(-1) as string,
    traders: traderIds.length,
    positions: invoices.reduce((sum, { due }) => sum + due.positionIds.length, 0),
    invoices: invoices.length,
    amountUnits: invoices.reduce((sum, { amountUnits }) => sum + amountUnits, 0n),
    problems: [...problems].map(([traderId, reason]) => ({ traderId, reason })),
  };
}

type Draft = Omit<NewInvoice, 'used'>;

function draftInvoice(
  due: DueInvoice,
  { addresses, settings }: InvoicingDeps,
  now: Date,
): { draft: Draft } | { reason: ProblemReason | null } {
  const { platform_weights: platformWeights, invoice_due_days: dueDays } = settings.current();
  const plan = planInvoice({ ...due, platformWeights, dueDays }, now);
  // An amount below one base unit waits for further positions.
  if ('refusal' in plan) return { reason: plan.refusal === 'nothing_due' ? null : plan.refusal };
  const paymentAddress = due.depositAddress ?? addresses?.at(due.depositIndex);
  if (!paymentAddress) return { reason: 'no_deposit_address' };
  const { traderId, providerId } = due;
  return {
    draft: {
      ...plan,
      invoiceId: randomUUIDv7(),
      traderId,
      providerId,
      offPlatformUnits: 0n,
      due,
      paymentAddress,
    },
  };
}

/** Positions that are deducted entirely wait for further ones. */
function deduct(drafts: readonly Draft[], deductions: ReadonlyMap<string, OpenDeduction[]>): NewInvoice[] {
  return [...Map.groupBy(drafts, ({ due }) => deductionKey(due))].flatMap(([key, ofKey]) => {
    const deducted = deductFrom(ofKey, deductions.get(key) ?? []);
    return ofKey.flatMap((draft, index) => {
      const made = deducted[index];
      return made ? [{ ...draft, ...made }] : [];
    });
  });
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
  await insertInvoices(tx, invoices, now);
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
