import { randomUUIDv7 } from 'node:crypto';
import { deductFrom, type LineReason, type OpenDeduction, planInvoice } from '@copydesk/domain/invoices';
import { decimalToUnits } from '@copydesk/domain/money';
import type { LiveSettings } from '../../../core/settings/live-settings.ts';
import type { DepositAddresses } from '../../../integrations/chain/deposit-addresses.ts';
import type { WriteTx } from '../../../platform/db/database.ts';
import { deductionKey, listDeductions } from '../differences/deductions.store.ts';
import { type DueInvoice, findDueInvoices } from './due-positions.views.ts';
import type { NewInvoice } from './new-invoices.store.ts';
import { lineWithout, type RunLine } from './run-lines.store.ts';

export interface InvoicingDeps {
  /** Null when no account key is configured: a trader without an address cannot be invoiced yet. */
  addresses: DepositAddresses | null;
  settings: Pick<LiveSettings, 'current'>;
  now: () => Date;
}

export interface InvoicePlans {
  invoices: NewInvoice[];
  /** What becomes of each trader. */
  lines: RunLine[];
  /** The moment of the invoices. */
  at: Date;
}

type Draft = Omit<NewInvoice, 'used'>;

/**
 * What a run invoices of these traders, one invoice for each provider and rate, and what it leaves out: for a draft to
 * show, and for a run to issue.
 * @param how see `findDueInvoices`
 */
export async function planInvoices(
  tx: WriteTx,
  deps: InvoicingDeps,
  traderIds: readonly string[],
  how: { isIssued: boolean; until: string | null },
): Promise<InvoicePlans> {
  const at = deps.now();
  const reasons = new Map<string, LineReason>();
  const drafts: Draft[] = [];
  const deductions = await listDeductions(tx, traderIds);
  for (const due of await findDueInvoices(tx, traderIds, how)) {
    const made = draftInvoice(due, deps, at);
    if ('draft' in made) drafts.push(made.draft);
    // A reason that needs a person takes precedence over an expected one.
    else if (made.reason !== 'invoicing_off' || !reasons.has(due.traderId))
      reasons.set(due.traderId, made.reason);
  }
  const byTrader = Map.groupBy(deduct(drafts, deductions), ({ traderId }) => traderId);
  const minimumUnits = decimalToUnits(deps.settings.current().minimum_invoice_usdt) ?? 0n;
  const invoices: NewInvoice[] = [];
  const lines = traderIds.map((traderId): RunLine => {
    const its = byTrader.get(traderId) ?? [];
    const amountUnits = its.reduce((sum, invoice) => sum + invoice.amountUnits, 0n);
    const reason = reasons.get(traderId) ?? null;
    if (its.length === 0) return lineWithout(traderId, reason ?? 'nothing_due');
    if (amountUnits < minimumUnits)
      return { ...lineWithout(traderId, 'nothing_due'), carriedUnits: amountUnits, reason };
    invoices.push(...its);
    const positions = its.reduce((sum, { due }) => sum + due.positionIds.length, 0);
    return { traderId, invoices: its.length, positions, amountUnits, carriedUnits: 0n, reason };
  });
  return { invoices, lines, at };
}

function draftInvoice(
  due: DueInvoice,
  { addresses, settings }: InvoicingDeps,
  now: Date,
): { draft: Draft } | { reason: LineReason } {
  if (!due.isInvoicingEnabled) return { reason: 'invoicing_off' };
  const { platform_weights: platformWeights, invoice_due_days: dueDays } = settings.current();
  const plan = planInvoice({ ...due, platformWeights, dueDays }, now);
  // An amount below one base unit waits for further positions.
  if ('refusal' in plan) return { reason: plan.refusal };
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
