import { capitalised, typeWords } from '../../../lib/format/payout-texts.ts';
import { Money } from '../../../ui/figures/money.tsx';
import { useMedia } from '../../../ui/layout/use-media.ts';
import { sharesWord } from '../payout-texts.ts';
import type { Pending } from '../payouts-queries.ts';
import { sumOf } from './selection.ts';

/** Further amounts owed that cannot be paid, and the reasons. */
export function Unaddressed({ unaddressed }: Pick<Pending, 'unaddressed'>) {
  const isNarrow = useMedia('(max-width: 767px)');
  if (unaddressed.length === 0) return null;
  return (
    <details
      open={!isNarrow}
      className="max-h-40 shrink-0 overflow-y-auto border-t border-line bg-subtle px-4 py-2.5"
    >
      <summary className="relative cursor-pointer rounded text-xs font-semibold">
        Cannot be paid yet
        <Money amount={sumOf(unaddressed)} className="absolute end-0" />
      </summary>
      <p className="mt-0.5 text-xs text-muted">
        These recipients have no wallet address, or one that must not be paid. Their shares stay pending.
      </p>
      <ul className="mt-1">
        {unaddressed.map(({ recipientType, amount, payableCount }) => (
          <li
            key={recipientType}
            className="flex min-h-6 items-center justify-between gap-4 text-xs tabular-nums"
          >
            <span>
              {capitalised(typeWords(recipientType))}{' '}
              <span className="text-muted">· {sharesWord(payableCount)}</span>
            </span>
            <Money amount={amount} as="bare" />
          </li>
        ))}
      </ul>
    </details>
  );
}
