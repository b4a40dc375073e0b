import { formatCount } from '@copydesk/domain';
import { clsx } from 'clsx';
import { Tooltip } from 'radix-ui';
import { useState } from 'react';
import { formatPartOfUsdt, typeWords } from '../../../../lib/payout-words.ts';
import type { TypeSummary } from '../history-queries.ts';
import { partsOf } from './type-parts.ts';
import { TypeTip } from './type-tip.tsx';

/** The amount of one recipient type. Hover, tap or keyboard focus shows details. */
export function TypeFigure({ summary }: { summary: TypeSummary }) {
  const [isOpen, setOpen] = useState(false);
  const { recipient_type, total_amount, count } = summary;
  return (
    <Tooltip.Root open={isOpen} onOpenChange={setOpen}>
      <Tooltip.Trigger
        type="button"
        // Touch has no hover: a tap opens it.
        onClick={(event) => {
          event.preventDefault();
          setOpen(true);
        }}
        className="flex w-full min-w-0 flex-col rounded-md px-3 py-1.5 text-left hover:bg-hover focus-visible:-outline-offset-2"
      >
        <span className="flex max-w-full gap-1 text-xs text-muted tabular-nums">
          <span className="inline-block truncate first-letter:uppercase">{typeWords(recipient_type)}</span>
          <span className="shrink-0 sm:hidden" aria-hidden="true">
            · {formatCount(count)}
          </span>
        </span>
        <span className="flex max-w-full items-baseline gap-1 tabular-nums">
          <span className="truncate text-base font-semibold">{formatPartOfUsdt(total_amount)}</span>
          <span className="text-xs text-muted">USDT</span>
        </span>
        <span className="text-xs text-muted tabular-nums max-sm:sr-only">
          {formatCount(count)} {count === 1 ? 'transaction' : 'transactions'}
        </span>
        <span className="flex max-w-full flex-wrap gap-x-2">
          {partsOf(summary).map(({ word, amount, count: partCount }) => (
            <span
              key={word}
              className={clsx(
                'block max-w-full truncate text-xs tabular-nums',
                word === 'failed' ? 'text-negative' : 'text-muted',
              )}
            >
              {word === 'replaced'
                ? `${formatCount(partCount)} replaced`
                : `${formatPartOfUsdt(amount)} USDT ${word}`}
            </span>
          ))}
        </span>
      </Tooltip.Trigger>
      <Tooltip.Portal container={document.querySelector('main')}>
        <Tooltip.Content
          side="bottom"
          sideOffset={4}
          collisionPadding={8}
          className="z-50 min-w-56 rounded-md border border-line bg-raised px-3 py-2 text-xs shadow-raised"
        >
          <TypeTip summary={summary} />
        </Tooltip.Content>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}
