import type { OverviewFigure } from '@copydesk/contract/overview';
import { FIGURE_DAYS, FIGURES, type FigureName } from '@copydesk/domain/overview';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { messageOf } from '../../lib/api/api-error.ts';
import { formatCount } from '../../lib/format/numbers.ts';
import { usdt } from '../../lib/format/usdt.ts';
import { InfoTip } from '../../ui/feedback/info-tip.tsx';
import { QueryState } from '../../ui/feedback/query-state.tsx';
import { Trend } from '../../ui/figures/charts/trend.tsx';
import { Facts } from '../../ui/figures/fact.tsx';
import { FigureCard } from '../../ui/figures/figure-card.tsx';
import { Count } from '../../ui/figures/linked.tsx';
import { Money } from '../../ui/figures/money.tsx';
import { overviewQuery } from './overview-query.ts';

/** The count below a figure, which leads to the list of what it counts. */
export type FigureCounts = Readonly<
  Record<FigureName, (shown: { n: number; of: readonly [one: string, many: string] }) => ReactNode>
>;

interface FigureWords {
  label: string;
  tip: string;
  /** What it counts. */
  of: readonly [one: string, many: string];
  part?: string;
  /** Over how many it is spread: `of 1 community`. */
  subjects?: readonly [one: string, many: string];
}

const WORDS: Readonly<Record<FigureName, FigureWords>> = {
  outstanding: {
    label: 'Outstanding',
    tip: 'What traders still owe of the invoices that they are asked to pay. Orders of bots, and what a pool pays for its members, are not among them.',
    of: ['invoice', 'invoices'],
    part: 'overdue',
  },
  to_pay_out: {
    label: 'To pay out',
    tip: 'Shares of paid invoices that are in no payout yet, with those that are held or whose recipient has no address.',
    of: ['share', 'shares'],
    subjects: ['of 1 community', 'of % communities'],
  },
  paid_out: {
    label: 'Paid out this month',
    tip: 'Payouts that were ordered this month (UTC) and have arrived.',
    of: ['payout', 'payouts'],
  },
  failed_or_stuck: {
    label: 'Failed or stuck',
    tip: 'Payouts that failed and were not ordered again, and those that wait for longer than a payout takes.',
    of: ['payout', 'payouts'],
    part: 'failed',
  },
  not_delivered: {
    label: 'Not delivered',
    tip: 'Messages of the last 30 days that failed after the last one that reached the person.',
    of: ['message', 'messages'],
    subjects: ['to 1 person', 'to % people'],
  },
};

interface FiguresPanelProps {
  counts: FigureCounts;
  /** What the reader sees, for as long as it loads. */
  places: readonly FigureName[];
}

/** The figures of money and messages, each with its last days and what it is made of. */
export function FiguresPanel({ counts, places }: FiguresPanelProps) {
  const { data, error, refetch } = useQuery(overviewQuery);
  const shown: readonly { name: FigureName; figure?: OverviewFigure }[] =
    // A server that is newer may have another one.
    data?.filter(({ name }) => name in WORDS).map((figure) => ({ name: figure.name, figure })) ??
    places.map((name) => ({ name }));
  return (
    <QueryState
      error={error && !data ? { title: 'The figures could not be loaded', message: messageOf(error) } : null}
      onRetry={() => void refetch()}
      isLoading={false}
      loading={null}
      isEmpty={false}
      empty={null}
    >
      <Facts
        aria-label="Figures"
        aria-busy={data === undefined}
        className="grid gap-3 sm:grid-cols-2 lg:auto-cols-fr lg:grid-flow-col"
      >
        {shown.map(({ name, figure }) => (
          <Figure key={name} name={name} figure={figure} count={counts[name]} />
        ))}
      </Facts>
    </QueryState>
  );
}

interface FigureProps {
  name: FigureName;
  figure: OverviewFigure | undefined;
  count: FigureCounts[FigureName];
}

function Figure({ name, figure, count }: FigureProps) {
  const { label, tip, of, part, subjects } = WORDS[name];
  const { hasAmount, isFlow } = FIGURES[name];
  return (
    <FigureCard
      label={label}
      tip={<InfoTip about={label} text={tip} />}
      className="flex flex-col rounded-lg border border-line bg-surface"
      isLarge
      note={
        figure && (
          <span className="text-pretty">
            {figure.count === 0 ? (
              'None'
            ) : (
              <>
                {count({ n: figure.count, of })}
                {subjects && figure.subjects !== null && ` ${spread(figure.subjects, subjects)}`}
                {part && figure.part && figure.part.count > 0 && (
                  <>
                    , {figure.part.amount !== null && <Money amount={figure.part.amount} as="bareCents" />}{' '}
                    {part}
                  </>
                )}
              </>
            )}
          </span>
        )
      }
      below={
        figure && (
          <Trend
            name={label}
            days={FIGURE_DAYS}
            points={figure.days.map(({ day, amount, count }) => ({ day, value: amount ?? count }))}
            format={hasAmount ? usdt : (value) => formatCount(Number(value))}
            isFlow={isFlow}
          />
        )
      }
    >
      {figure &&
        (figure.amount !== null ? (
          <span>
            <Money amount={figure.amount} as="bareCents" />{' '}
            <span className="text-sm font-medium tracking-normal text-muted">USDT</span>
          </span>
        ) : (
          <Count n={figure.count} plain="The line below leads to them" />
        ))}
    </FigureCard>
  );
}

const spread = (n: number, [one, many]: readonly [string, string]) =>
  n === 1 ? one : many.replace('%', formatCount(n));
