import { averagePerMonth, payoutPeriod } from '@copydesk/domain/payouts';
import { clsx } from 'clsx';
import { Tooltip } from 'radix-ui';
import { useState } from 'react';
import { formatCount } from '../../../../lib/format/numbers.ts';
import { typeWords } from '../../../../lib/format/payout-texts.ts';
import { formatDate } from '../../../../lib/format/read-time.ts';
import { exactUsdt, formatAverage, formatPartOfUsdt } from '../../../../lib/format/usdt.ts';
import { Fact, Facts } from '../../../../ui/figures/fact.tsx';
import { Count } from '../../../../ui/figures/linked.tsx';
import type { TypeSummary } from '../history-queries.ts';

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
        className="flex w-full min-w-0 flex-col rounded-md px-3 py-1.5 text-start hover:bg-hover focus-visible:-outline-offset-2"
      >
        <span className="flex max-w-full gap-1 text-xs text-muted tabular-nums">
          <span className="inline-block truncate first-letter:uppercase">{typeWords(recipient_type)}</span>
          <span className="shrink-0 sm:hidden" aria-hidden="true">
            · <Count n={count} plain="Pressing the figure filters by it" />
          </span>
        </span>
        <span className="flex max-w-full items-baseline gap-1 tabular-nums">
          <span className="truncate text-base font-semibold">{formatPartOfUsdt(total_amount)}</span>
          <span className="text-xs text-muted">USDT</span>
        </span>
        <span className="text-xs text-muted tabular-nums max-sm:sr-only">
          <Count n={count} plain="Pressing the figure filters by it" />{' '}
          {count === 1 ? 'transaction' : 'transactions'}
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

/** The ordered amount of a recipient type, its outcome, its period, and the average per month. */
function TypeTip({ summary }: { summary: TypeSummary }) {
  const { total_amount, first_at, last_at } = summary;
  const period = payoutPeriod(first_at, last_at);
  const facts = [
    ['Total', exactUsdt(total_amount)],
    ...partsOf(summary).map(({ label, amount, count }) => [
      label,
      `${exactUsdt(amount)} in ${formatCount(count)}`,
    ]),
    ['Period', period.label],
    ['Average per month', `${formatAverage(averagePerMonth(total_amount, period))} USDT`],
    ['First', formatDate(first_at)],
    ['Last', formatDate(last_at)],
  ];
  return (
    <Facts look="small">
      {facts.map(([name, value]) => (
        <Fact key={name} label={name}>
          {value}
        </Fact>
      ))}
    </Facts>
  );
}

/** The parts of a type's total by outcome. Empty parts are left out, except the paid one. */
function partsOf({ paid, awaiting_approval, under_way, failed, replaced }: TypeSummary) {
  const parts = [
    { label: 'Paid', word: 'paid', ...paid },
    { label: 'Awaiting approval', word: 'awaiting approval', ...awaiting_approval },
    { label: 'Under way', word: 'under way', ...under_way },
    { label: 'Failed', word: 'failed', ...failed },
    { label: 'Replaced', word: 'replaced', ...replaced },
  ];
  return parts.filter(({ word, count, amount }) => word === 'paid' || count > 0 || amount !== '0');
}
