import { MOST_PAID_COUNTED } from '@copydesk/domain/payouts';
import { Count } from '../../../ui/figures/linked.tsx';
import { Money } from '../../../ui/figures/money.tsx';
import type { PaidRecipient } from '../payouts-queries.ts';

interface PaidBeforeProps {
  paid: Pick<PaidRecipient, 'paid_count' | 'usual_amount'>;
  /** Set where the usual amount is shown beside it. */
  hidesUsual?: boolean;
}

/** How often an address was paid, and how much at a time: `14 times, usually 120.00`. */
export function PaidBefore({ paid, hidesUsual = false }: PaidBeforeProps) {
  const { paid_count: count, usual_amount: usual } = paid;
  if (count === 0) return 'Never';
  return (
    <>
      <Count n={count} of={['time', 'times']} plain="A link would leave the order" />
      {count >= MOST_PAID_COUNTED && ' or more'}
      {usual !== null && !hidesUsual && (
        <>
          , usually <Money amount={usual} as="bareCents" />
        </>
      )}
    </>
  );
}
