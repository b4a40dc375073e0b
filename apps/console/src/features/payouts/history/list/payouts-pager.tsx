import type { ReactNode } from 'react';
import { formatCount } from '../../../../lib/format/numbers.ts';
import { Button } from '../../../../ui/form/button.tsx';
import { PAGE_SIZES } from '../history-search.ts';

interface PayoutsPagerProps {
  /** Counted from 1. */
  page: number;
  rows: number;
  total: number;
  onPage(page: number): void;
  onRows(rows: number): void;
  /** Beside the range. */
  children?: ReactNode;
}

/** The shown range of the history, and the controls for the other pages. */
export function PayoutsPager({ page, rows, total, onPage, onRows, children }: PayoutsPagerProps) {
  const last = Math.max(1, Math.ceil(total / rows));
  const from = formatCount((page - 1) * rows + 1);
  const to = formatCount(Math.min(page * rows, total));
  const steps = [
    { label: 'First', to: 1, isOff: page <= 1 },
    { label: 'Prev', to: page - 1, isOff: page <= 1 },
    { label: 'Next', to: page + 1, isOff: page >= last },
    { label: 'Last', to: last, isOff: page >= last },
  ];
  const [first, previous, ...onwards] = steps.map(({ label, to: target, isOff }) => (
    <Button
      key={label}
      look="quiet"
      className="h-7! px-2! text-xs!"
      disabled={isOff}
      onClick={() => onPage(target)}
    >
      {label}
    </Button>
  ));
  return (
    <nav
      aria-label="Pages"
      className="flex shrink-0 flex-wrap items-center justify-end gap-x-1 gap-y-1 border-t border-line px-4 py-1.5"
    >
      <span className="me-auto flex flex-wrap items-center gap-x-3 text-xs text-muted tabular-nums">
        <span role="status">
          {total === 0 ? 'No records' : `Showing ${from}–${to} of ${formatCount(total)}`}
        </span>
        {children}
      </span>
      <label className="me-1 flex items-center gap-2 text-xs text-muted">
        <span className="max-sm:sr-only">Rows per page</span>
        <select
          value={rows}
          onChange={(event) => onRows(Number(event.target.value))}
          className="h-7 rounded-md border border-line-strong bg-surface px-1.5 font-medium text-ink tabular-nums"
        >
          {PAGE_SIZES.map((size) => (
            <option key={size}>{size}</option>
          ))}
        </select>
      </label>
      <span className="flex items-center gap-1 max-sm:w-full max-sm:justify-between">
        {first}
        {previous}
        <span className="px-1 text-xs whitespace-nowrap tabular-nums">
          {`Page ${formatCount(page)} / ${formatCount(last)}`}
        </span>
        {onwards}
      </span>
    </nav>
  );
}
