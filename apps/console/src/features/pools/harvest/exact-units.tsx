import { clsx } from 'clsx';
import { exactUsdt } from '../../../lib/format/payout-texts.ts';

/** An exact amount; a signed one is coloured by its sign. */
export function ExactUnits({ amount, isSigned = false }: { amount: string; isSigned?: boolean }) {
  const isNegative = amount.startsWith('-');
  const isZero = !/[1-9]/.test(amount);
  return (
    <span
      className={clsx(
        'tabular-nums',
        isSigned && !isZero && (isNegative ? 'text-negative' : 'text-positive'),
      )}
    >
      {isSigned && !isNegative && !isZero && '+'}
      {exactUsdt(amount)}
    </span>
  );
}
