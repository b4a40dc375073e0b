import { formatUsdt } from '../lib/payout-words.ts';

/** USDT with up to 6 decimals, its point below those of other rows: the decimals have a width of their own. */
export function AlignedAmount({ amount }: { amount: string }) {
  const [whole, decimals = ''] = formatUsdt(amount).split('.');
  return (
    <span className="inline-flex tabular-nums" title={`${amount} USDT`}>
      <span>{whole}</span>
      <span className="w-[6.5ch] text-left">.{decimals}</span>
    </span>
  );
}
