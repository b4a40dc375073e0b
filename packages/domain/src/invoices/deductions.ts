import { apportion } from '../money/apportion.ts';
import { leastOf } from '../money/order-units.ts';
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

/**
 * Deducts what is left of earlier deductions, the oldest first, from a new invoice. Each recipient gives back what it got
 * too much; where its part of this invoice is smaller, the others bear the rest by the size of their parts.
 * @returns null when nothing would be left to pay: the invoice waits for further positions, and so does the deduction
 */
export function deductFrom(
  { amountUnits, split }: { amountUnits: bigint; split: readonly SplitPart[] },
  deductions: readonly OpenDeduction[],
): DeductedInvoice | null {
  const taken = new Map<SplitPart['recipientType'], bigint>();
  const used: DeductedInvoice['used'] = [];
  let left = amountUnits;
  for (const { id, leftUnits, split: ofDeduction } of deductions) {
    const units = leastOf(leftUnits, left);
    if (units === 0n) continue;
    used.push({ id, units });
    left -= units;
    for (const part of scaleSplit(ofDeduction, units))
      taken.set(part.recipientType, (taken.get(part.recipientType) ?? 0n) + part.amountUnits);
  }
  if (left === 0n) return null;
  const kept = split.map(({ recipientType, amountUnits: units }) => {
    const of = taken.get(recipientType) ?? 0n;
    return { recipientType, amountUnits: units > of ? units - of : 0n };
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
