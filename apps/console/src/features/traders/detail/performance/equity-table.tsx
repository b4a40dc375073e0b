import { type DrawdownPoint, formatDate, formatSignedPercent, formatUsd } from '@copydesk/domain';
import { useState } from 'react';

/** The chart's points as a table, newest first. Rendered only when opened: a year has 365. */
export function EquityTable({ series }: { series: readonly DrawdownPoint[] }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)} className="mt-1 text-xs">
      <summary className="w-fit cursor-pointer rounded text-muted hover:text-ink">Show as a table</summary>
      {isOpen && (
        <section
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
          tabIndex={0}
          aria-label="Equity by day"
          className="mt-2 max-h-48 overflow-y-auto rounded-md border border-line"
        >
          <table className="w-full tabular-nums">
            <thead>
              <tr className="sticky top-0 h-7 bg-subtle text-muted">
                <th scope="col" className="px-2 text-left font-medium">
                  Day
                </th>
                <th scope="col" className="px-2 text-right font-medium">
                  Equity
                </th>
                <th scope="col" className="px-2 text-right font-medium">
                  Drawdown
                </th>
              </tr>
            </thead>
            <tbody>
              {series.toReversed().map(({ day, equity, drawdown }) => (
                <tr key={day} className="h-6 border-t border-line">
                  <td className="px-2">{formatDate(day)}</td>
                  <td className="px-2 text-right">{formatUsd(equity)}</td>
                  <td className="px-2 text-right">{formatSignedPercent(drawdown)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </details>
  );
}
