import { formatUsd } from '@copydesk/domain';
import { askedUsdt, exactUsdt } from '../../../lib/payout-words.ts';

/** Dollars to the cent, and the exact amount beside them when cents round it. */
export function ExactUsd({ amount, isAsked = false }: { amount: string; isAsked?: boolean }) {
  const exact = isAsked ? askedUsdt(amount) : exactUsdt(amount);
  const isRounded = (amount.split('.')[1] ?? '').length > 2;
  return (
    <span title={exact}>
      {formatUsd(amount)}
      {isRounded && <span className="text-xs font-normal text-muted"> · {exact}</span>}
    </span>
  );
}
