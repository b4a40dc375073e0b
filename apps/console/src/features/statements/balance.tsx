import { Money } from '../../ui/figures/money.tsx';

/** A balance, which may be below zero where an account may be overdrawn. */
export const Balance = ({ amount }: { amount: string }) => (
  <>
    {amount.startsWith('-') && '−'}
    <Money amount={amount.replace('-', '')} as="bare" />
  </>
);
