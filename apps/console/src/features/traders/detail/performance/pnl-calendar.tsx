import {
  type CalendarWeek,
  calendarWeeks,
  daysOfMonth,
  type PnlDay,
  shiftMonth,
  signOf,
  sumKnownPnl,
} from '@copydesk/domain/trading';
import { clsx } from 'clsx';
import ChevronLeft from 'lucide-react/icons/chevron-left';
import ChevronRight from 'lucide-react/icons/chevron-right';
import { formatPnl, formatShortPnl, monthWords } from '../../../../lib/format/figures.ts';
import { formatCount } from '../../../../lib/format/numbers.ts';
import { formatDate } from '../../../../lib/format/read-time.ts';
import type { Days } from '../../../../lib/url/range-days.ts';
import { SignedFigure } from '../../../../ui/figures/signed-figure.tsx';
import { Button } from '../../../../ui/form/button.tsx';
import { NotCounted } from '../not-counted.tsx';
import { shownMonth } from './shown-month.ts';

interface PnlCalendarProps {
  days: readonly PnlDay[];
  range: Days;
  month: string | undefined;
  onMonth(month: string): void;
}

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

function Day({ cell }: { cell: CalendarWeek<PnlDay>['days'][number] }) {
  if (!cell) return <td />;
  const { day, pnl } = cell;
  const sign = signOf(pnl?.closed_pnl);
  return (
    <td className="p-0.5">
      <div
        title={pnl ? `${formatDate(day)}: ${formatPnl(pnl.closed_pnl)}, ${countOf(pnl)}` : undefined}
        className={clsx(
          'flex h-10 flex-col rounded px-1 py-0.5 leading-4',
          !pnl && 'bg-subtle',
          pnl && sign === 0 && 'bg-subtle',
          sign > 0 && 'bg-positive-soft',
          sign < 0 && 'bg-negative-soft',
        )}
      >
        <span className="text-[0.6875rem] text-muted">{Number(day.slice(8))}</span>
        {pnl && (
          <span className="text-end text-[0.6875rem] font-medium">
            <SignedFigure text={formatShortPnl(pnl.closed_pnl)} sign={sign} />
          </span>
        )}
      </div>
    </td>
  );
}

/** Realised PnL of a month, day by day, with the sum of each week. */
export function PnlCalendar({ days, range, month: asked, onMonth }: PnlCalendarProps) {
  const { month, hasEarlier, hasLater } = shownMonth(days, range, asked);
  const { from, to } = daysOfMonth(month);
  const weeks = calendarWeeks(later(from, range.from), earlier(to, range.to), days);
  const shown = weeks.flatMap((week) => week.days.flatMap((cell) => cell?.pnl ?? []));
  const total = sumKnownPnl(weeks.map((week) => week.total));
  const name = monthWords(from);
  return (
    <section aria-label="PnL calendar" className="min-w-0">
      <div className="mb-1.5 flex items-center gap-1">
        <h3 className="me-auto font-medium">PnL calendar</h3>
        <Button
          square
          look="quiet"
          className="size-6!"
          aria-label="Previous month"
          disabled={!hasEarlier}
          onClick={() => onMonth(shiftMonth(month, -1))}
        >
          <ChevronLeft className="size-4" aria-hidden="true" />
        </Button>
        <span role="status" className="w-28 text-center text-xs font-medium">
          {name}
        </span>
        <Button
          square
          look="quiet"
          className="size-6!"
          aria-label="Next month"
          disabled={!hasLater}
          onClick={() => onMonth(shiftMonth(month, 1))}
        >
          <ChevronRight className="size-4" aria-hidden="true" />
        </Button>
      </div>
      <table aria-label={`Realised PnL by day, ${name}`} className="w-full table-fixed tabular-nums">
        <thead>
          <tr className="h-6 text-xs text-muted">
            {[...WEEKDAYS, 'Week'].map((weekday) => (
              <th key={weekday} scope="col" className="font-medium">
                {weekday}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: weeks have no name but their place
            <tr key={index}>
              {week.days.map((cell, weekday) => (
                <Day key={WEEKDAYS[weekday]} cell={cell} />
              ))}
              <td className="px-1 text-end text-[0.6875rem] font-medium">
                {week.total === null ? (
                  <span className="text-muted">–</span>
                ) : (
                  <SignedFigure text={formatShortPnl(week.total)} sign={signOf(week.total)} />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="mt-1.5 text-xs text-muted">
        {shown.length === 0 ? (
          'No position was closed in this month'
        ) : (
          <>
            Closed in this month:{' '}
            <span className="font-medium">
              <SignedFigure text={formatPnl(total)} sign={signOf(total)} />
            </span>
            <NotCounted positions={shown.reduce((sum, { unknown_profit }) => sum + unknown_profit, 0)} />
          </>
        )}
      </p>
    </section>
  );
}

const later = (a: string, b: string) => (a > b ? a : b);
const earlier = (a: string, b: string) => (a < b ? a : b);
const countOf = ({ positions, unknown_profit }: PnlDay) =>
  `${formatCount(positions)} ${positions === 1 ? 'position' : 'positions'}${
    unknown_profit > 0 ? `, ${formatCount(unknown_profit)} not counted` : ''
  }`;
