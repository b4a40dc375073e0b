import { type ReactNode, useState } from 'react';
import { formatDate } from '../../../lib/format/read-time.ts';

/** A column shows a text, or what is more than one: an amount, a link. */
type DaysColumn<D> = { header: string } & ({ textOf(day: D): string } | { cell(day: D): ReactNode });

interface DaysTableProps<D extends { day: string }> {
  /** The accessible name. */
  label: string;
  /** Oldest first, as in the chart. */
  days: readonly D[];
  columns: readonly DaysColumn<D>[];
  /** What opens it, where it does not belong to a chart. */
  summary?: string;
  /** Instead of a chart, for which the days are too few. */
  isOpen?: boolean;
}

/** A chart's days as a table, newest first. Rendered only when opened: a year has 365. */
export function DaysTable<D extends { day: string }>({
  label,
  days,
  columns,
  summary = 'Show as a table',
  isOpen: isOpenAtFirst = false,
}: DaysTableProps<D>) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)} className="mt-1 text-xs">
      <summary className="w-fit cursor-pointer rounded text-muted hover:text-ink">{summary}</summary>
      {isOpen && (
        <section
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
          tabIndex={0}
          aria-label={label}
          className="relative mt-2 max-h-48 overflow-y-auto rounded-md border border-line"
        >
          <table className="w-full tabular-nums">
            <thead>
              <tr className="sticky top-0 h-7 bg-subtle text-muted">
                <th scope="col" className="px-2 text-start font-medium">
                  Day
                </th>
                {columns.map(({ header }) => (
                  <th key={header} scope="col" className="px-2 text-end font-medium">
                    {header}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {days.toReversed().map((day) => (
                <tr key={day.day} className="h-6 border-t border-line">
                  <td className="px-2">{formatDate(day.day)}</td>
                  {columns.map((column) => (
                    <td key={column.header} className="px-2 text-end">
                      {'cell' in column ? column.cell(day) : column.textOf(day)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </details>
  );
}
