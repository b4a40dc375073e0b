import { clsx } from 'clsx';
import { splitDecimals } from '../../lib/format/figures.ts';
import { exactUsdt, formatUsdt } from '../../lib/format/payout-texts.ts';

/** The largest number of decimals that any of these amounts shows, 2 to 6: the space that all of them reserve. */
export function mostDecimals(amounts: readonly string[]): number {
  const decimals = amounts.map((amount) => splitDecimals(formatUsdt(amount))[2].length);
  return Math.max(2, ...decimals);
}

/**
 * USDT with up to 6 decimals, aligned at the point with other rows: the decimals have a fixed width.
 * @param places decimals of the rows together, from `mostDecimals`
 * @param isTotal at the foot of the others: in bold, in the space that their thinner figures have
 */
export function AlignedAmount({
  amount,
  places = 6,
  isTotal = false,
}: {
  amount: string;
  places?: number;
  isTotal?: boolean;
}) {
  const [whole, sign, decimals] = splitDecimals(formatUsdt(amount));
  const weight = isTotal ? 'font-semibold' : undefined;
  return (
    <span className={clsx('inline-flex tabular-nums', isTotal && 'font-normal')} title={exactUsdt(amount)}>
      <span className={weight}>{whole}</span>
      <span className="text-start" style={{ width: `${places + 0.5}ch` }}>
        <span className={weight}>
          {sign}
          {decimals}
        </span>
      </span>
    </span>
  );
}
