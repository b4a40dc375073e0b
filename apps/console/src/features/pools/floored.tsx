import { flooredUsd } from '../../lib/format/figures.ts';
import { exactUsdt } from '../../lib/format/payout-texts.ts';

/** A balance in whole dollars, never rounded up. The exact amount is its tooltip. */
export function Floored({ amount, className }: { amount: string; className?: string }) {
  return (
    <span className={className} title={exactUsdt(amount)}>
      {flooredUsd(amount)}
    </span>
  );
}
