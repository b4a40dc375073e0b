import { apportion } from '../money/apportion.ts';
import { leastOf, mostOf } from '../money/order-units.ts';
import { type SplitPart, scaleSplit } from './split.ts';

/** What is to be deducted from a next invoice. Amounts are USDT base units. */
export interface OpenDeduction {
  id: string;
  leftUnits: bigint;
  /** As the invoice was split that charged too much. */
  split: readonly SplitPart[];
}

export interface DeductedInvoice {
  amountUnits: bigint;
  split: SplitPart[];
  used: { id: string; units: bigint }[];
}

interface Deductible {
  amountUnits: bigint;
  split: readonly SplitPart[];
}

/**
 * Deducts what is left of earlier deductions, the oldest first, from the new invoices of one trader, community and
 * provider. Each invoice bears its part by its amount: one that is smaller than the deduction does not wait for it while
 * they exceed it together. Each recipient gives back what it got too much; where its part of an invoice is smaller, the
 * others bear the rest by the size of their parts.
 * @returns null for an invoice of which nothing would be left to pay: it waits for further positions, and so does the
 * deduction
 */
export function deductFrom(
  invoices: readonly Deductible[],
  deductions: readonly OpenDeduction[],
): (DeductedInvoice | null)[] {
  const open = sumOf(deductions.map(({ leftUnits }) => leftUnits));
  const amounts = invoices.map(({ amountUnits }) => amountUnits);
  const parts = apportion(leastOf(open, sumOf(amounts)), amounts);
  let rest = [...deductions];
  return invoices.map((invoice, index) => {
    const made = deductUnits(invoice, rest, parts[index] ?? 0n);
    if (!made) return null;
    const usedOf = new Map(made.used.map(({ id, units }) => [id, units]));
    rest = rest.map((each) => ({ ...each, leftUnits: each.leftUnits - (usedOf.get(each.id) ?? 0n) }));
    return made;
  });
}

const sumOf = (units: readonly bigint[]) => units.reduce((sum, each) => sum + each, 0n);

function deductUnits(
  { amountUnits, split }: Deductible,
  deductions: readonly OpenDeduction[],
  mostUnits: bigint,
): DeductedInvoice | null {
  const taken = new Map<SplitPart['recipientType'], bigint>();
  const used: DeductedInvoice['used'] = [];
  let left = amountUnits;
  let toTake = mostUnits;
  for (const { id, leftUnits, split: ofDeduction } of deductions) {
    const units = leastOf(leftUnits, toTake);
    if (units === 0n) continue;
    used.push({ id, units });
    left -= units;
    toTake -= units;
    for (const part of scaleSplit(ofDeduction, units))
      taken.set(part.recipientType, (taken.get(part.recipientType) ?? 0n) + part.amountUnits);
  }
  if (left === 0n) return null;
  const kept = split.map(({ recipientType, amountUnits: units }) => {
    const of = taken.get(recipientType) ?? 0n;
    return { recipientType, amountUnits: mostOf(units - of, 0n) };
  });
  // More than what is left where a part could not bear all that it gives back.
  const shares = apportion(
    left,
    kept.map(({ amountUnits: units }) => units),
  );
  return {
    amountUnits: left,
    used,
    split: kept
      .map(({ recipientType }, index) => ({ recipientType, amountUnits: shares[index] ?? 0n }))
      .filter(({ amountUnits: units }) => units > 0n),
  };
}
