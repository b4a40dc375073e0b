import { commissionUnits, type InvoiceFacts } from './invoicing.ts';

/**
 * Whether the recorded facts behind a commission make the amount of its invoice.
 * @returns `unexplainedUnits`: what the amount is above (or, below zero, under) the commission less deductions, in base
 * units. Not zero for an imported invoice whose positions were never read, or whose amount was set elsewhere
 */
export function explainCommission({
  profit,
  commissionRate,
  deductedUnits,
  amountUnits,
}: Pick<InvoiceFacts, 'profit' | 'commissionRate'> & {
  /** For what earlier invoices charged too much, base units. */
  deductedUnits: bigint;
  amountUnits: bigint;
}): { commissionUnits: bigint; unexplainedUnits: bigint } {
  const commission = commissionUnits(profit, commissionRate);
  return { commissionUnits: commission, unexplainedUnits: amountUnits - commission + deductedUnits };
}
