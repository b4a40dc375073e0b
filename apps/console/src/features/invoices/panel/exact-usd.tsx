import { formatUsd } from '@copydesk/domain';
import { exactUsdt } from '../../../lib/payout-words.ts';

/** Dollars to the cent, and the exact amount beside them when cents round it. */
export function ExactUsd({ amount }: { amount: string }) {
  const isRounded = (amount.split('.')[1] ?? '').length > 2;
  return (
    <span title={exactUsdt(amount)}>
      {formatUsd(amount)}
      {isRounded && <span className="text-xs font-normal text-muted"> · {exactUsdt(amount)}</span>}
    </span>
  );
}
