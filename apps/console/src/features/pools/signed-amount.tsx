import { clsx } from 'clsx';
import { percentWords } from '../../lib/format/figures.ts';
import { numberFormat } from '../../lib/format/numbers.ts';
import { exactUsdt, formatUsdt } from '../../lib/format/payout-texts.ts';

/** A profit or a loss, coloured by its sign; the exact amount is its tooltip. */
export function SignedAmount({ amount }: { amount: string }) {
  const isLoss = amount.startsWith('-');
  const isGain = !isLoss && /[1-9]/.test(amount);
  return (
    <span title={exactUsdt(amount)} className={clsx(isLoss && 'text-negative', isGain && 'text-positive')}>
      {isGain && '+'}
      {formatUsdt(amount)}
    </span>
  );
}

const percent = numberFormat({ minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** A return or a drawdown: `-3.50%`. */
export function SignedPercent({ percentage }: { percentage: string | null }) {
  if (percentage === null) return <span className="text-muted">N/A</span>;
  const isLoss = percentage.startsWith('-');
  const isGain = !isLoss && /[1-9]/.test(percentage);
  return (
    <span
      title={percentWords(percentage)}
      className={clsx(isLoss && 'text-negative', isGain && 'text-positive')}
    >
      {isGain && '+'}
      {percent(percentage)}%
    </span>
  );
}
