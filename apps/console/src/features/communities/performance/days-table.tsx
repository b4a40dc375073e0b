import { formatDate, formatUsd } from '@copydesk/domain';
import { useState } from 'react';
import type { CommunityDay } from './days-query.ts';

/** The chart's days as a table, newest first. Rendered only when opened. */
export function DaysTable({ days }: { days: readonly CommunityDay[] }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)} className="mt-1 text-xs">
      <summary className="w-fit cursor-pointer rounded text-muted hover:text-ink">Show as a table</summary>
      {isOpen && (
        <section
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
          tabIndex={0}
          aria-label="AUM and money in and out by day"
          className="mt-2 max-h-48 overflow-y-auto rounded-md border border-line"
        >
          <table className="w-full tabular-nums">
            <thead>
              <tr className="sticky top-0 h-7 bg-subtle text-muted">
                <th scope="col" className="px-2 text-left font-medium">
                  Day
                </th>
                <th scope="col" className="px-2 text-right font-medium">
                  AUM
                </th>
                <th scope="col" className="px-2 text-right font-medium">
                  Received
                </th>
                <th scope="col" className="px-2 text-right font-medium">
                  Paid out
                </th>
              </tr>
            </thead>
            <tbody>
              {days.toReversed().map(({ day, aum, received, paid_out }) => (
                <tr key={day} className="h-6 border-t border-line">
                  <td className="px-2">{formatDate(day)}</td>
                  <td className="px-2 text-right">{formatUsd(aum)}</td>
                  <td className="px-2 text-right">{formatUsd(received)}</td>
                  <td className="px-2 text-right">{formatUsd(paid_out)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </details>
  );
}
