import type { TraderEvent } from '@copydesk/contract/traders';
import type { DrawdownPoint } from '@copydesk/domain/trading';
import { formatSignedPercent } from '../../../../lib/format/figures.ts';
import { formatUsd } from '../../../../lib/format/numbers.ts';
import { formatDate } from '../../../../lib/format/read-time.ts';
import { placeOfDay } from '../../../../ui/figures/charts/chart-facts.ts';
import type { FactKind, MarkedFact } from '../../../../ui/figures/charts/chart-markers.tsx';
import { Count } from '../../../../ui/figures/linked.tsx';
import { Money } from '../../../../ui/figures/money.tsx';

type EventKind = TraderEvent['kind'];
/** What is marked along a trader's equity. */
export const KINDS = {
  invoice: { name: ['invoice', 'invoices'], color: 'var(--caution)', shape: 'square' },
  payment: { name: ['payment', 'payments'], color: 'var(--positive)', shape: 'diamond' },
} as const satisfies Record<EventKind, FactKind>;

/** What is marked along the curve. The answer has it newest first. */
export function factsOf(
  series: readonly DrawdownPoint[],
  events: readonly TraderEvent[],
): MarkedFact<EventKind>[] {
  const days = series.map(({ day }) => day);
  return events.toReversed().flatMap(({ day, kind, count, amount }) => {
    const place = placeOfDay(days, day);
    return place === null
      ? []
      : [{ kind, count, place, day: formatDate(day), text: <Money amount={amount} /> }];
  });
}

interface TableDay {
  day: string;
  /** Missing where only an event was. */
  point?: DrawdownPoint;
  events: TraderEvent[];
}

/** The days of the table, oldest first: those of the curve, and those on which something happened without a reading. */
export function withEvents(series: readonly DrawdownPoint[], events: readonly TraderEvent[]): TableDay[] {
  const days = new Map<string, TableDay>(
    series.map((point) => [point.day, { day: point.day, point, events: [] }]),
  );
  for (const event of events) {
    const known = days.get(event.day);
    if (known) known.events.push(event);
    else days.set(event.day, { day: event.day, events: [event] });
  }
  return [...days.values()].sort((a, b) => (a.day < b.day ? -1 : 1));
}

/** What the table beside the chart shows of a day. */
export const columnsOf = (traderId: string, events: readonly TraderEvent[]) => [
  { header: 'Equity', textOf: ({ point }: TableDay) => (point ? formatUsd(point.equity) : 'not recorded') },
  { header: 'Drawdown', textOf: ({ point }: TableDay) => (point ? formatSignedPercent(point.drawdown) : '') },
  ...(events.length > 0
    ? [
        {
          header: 'Invoices and payments',
          cell: (day: TableDay) =>
            day.events.map((event) => <EventLine key={event.kind} event={event} traderId={traderId} />),
        },
      ]
    : []),
];

function EventLine({ event, traderId }: { event: TraderEvent; traderId: string }) {
  const { kind, count, amount, invoice_id: invoice, day } = event;
  return (
    <span className="block">
      <Count
        n={count}
        of={KINDS[kind].name}
        {...(invoice !== null
          ? { to: { to: '/invoices/$invoiceId', params: { invoiceId: invoice } } }
          : kind === 'invoice'
            ? { to: { to: '/invoices', search: { trader: traderId, from: day, to: day } } }
            : { plain: 'payments of several invoices' })}
      />{' '}
      <Money amount={amount} />
    </span>
  );
}
