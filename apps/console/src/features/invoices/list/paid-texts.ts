import { exactUsdt } from '../../../lib/format/usdt.ts';
import type { Invoice } from '../invoices-queries.ts';

const isSome = (amount: string) => /[1-9]/.test(amount);

/** How invoices were paid, to the last digit: `232.00 USDT paid on chain, 52.00 USDT settled off-platform`. */
export function paidWords({
  on_chain_amount,
  off_platform_amount,
}: Pick<Invoice, 'on_chain_amount' | 'off_platform_amount'>): string {
  const onChain = `${exactUsdt(on_chain_amount)} paid on chain`;
  return isSome(off_platform_amount)
    ? `${onChain}, ${exactUsdt(off_platform_amount)} settled off-platform`
    : onChain;
}
