import { askedUsdt, exactUsdt } from '../../../lib/format/usdt.ts';
import { Money } from '../../../ui/figures/money.tsx';

/** Dollars to the cent, and the exact amount beside them when cents round it. */
export function ExactUsd({ amount, isAsked = false }: { amount: string; isAsked?: boolean }) {
  const isRounded = (amount.split('.')[1] ?? '').length > 2;
  return (
    <>
      <Money amount={amount} as="usd" isAsked={isAsked} />
      {isRounded && (
        <span className="text-xs font-normal text-muted">
          {' '}
          · {isAsked ? askedUsdt(amount) : exactUsdt(amount)}
        </span>
      )}
    </>
  );
}
