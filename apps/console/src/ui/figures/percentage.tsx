import { clsx } from 'clsx';
import { percentWords, shownPercentage } from '../../lib/format/figures.ts';
import { numberFormat } from '../../lib/format/numbers.ts';

/** A loss that rounds to zero has no sign. */
const twoPlaces = numberFormat({
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
  signDisplay: 'negative',
});

type PercentageProps = {
  /** A return or a drawdown: two decimals, with its sign and in the colour of its sign. */
  isSigned?: boolean;
  className?: string;
} & (
  | {
      /** 0 to 100, as people say it. Null: not known. */
      value: number | string | null;
      fraction?: never;
    }
  | { /** 0 to 1, as shares are stored. */ fraction: number | string; value?: never }
);

/** A percentage from 0 to 100 with the decimals that it has: `12.5%`. */
export function Percentage({ value, fraction, isSigned = false, className }: PercentageProps) {
  if (value === null) return <span className="text-muted">N/A</span>;
  const whole = fraction === undefined ? percentWords(value) : `${shownPercentage(fraction)}%`;
  if (!isSigned) return <span className={clsx('tabular-nums', className)}>{whole}</span>;
  const isLoss = whole.startsWith('-');
  const isGain = !isLoss && /[1-9]/.test(whole);
  return (
    <span
      title={whole}
      className={clsx('tabular-nums', isLoss && 'text-negative', isGain && 'text-positive', className)}
    >
      {isGain && '+'}
      {twoPlaces(value ?? 0)}%
    </span>
  );
}
