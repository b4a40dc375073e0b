import ChevronLeft from 'lucide-react/icons/chevron-left';
import ChevronRight from 'lucide-react/icons/chevron-right';
import { formatCount } from '../../lib/format/numbers.ts';
import { lastPageOf } from '../../lib/list/use-last-page.ts';
import { Button } from '../form/button.tsx';

export interface PagerProps {
  /** Where a screen has several. */
  label?: string;
  /** Counted from 1. */
  page: number;
  pageRows: number;
  total: number;
  onChange(page: number): void;
  /** Lets the reader choose how many rows a page has. */
  sizes?: { options: readonly number[]; onChange(rows: number): void };
}

export function Pager({ label = 'Pages', page, pageRows, total, onChange, sizes }: PagerProps) {
  const last = lastPageOf(total, pageRows);
  const first = (page - 1) * pageRows + 1;
  return (
    <nav aria-label={label} className="flex items-center justify-end gap-2 border-t border-line px-4 py-1.5">
      <span role="status" className="me-auto text-xs text-muted tabular-nums">
        {formatCount(first)}–{formatCount(Math.min(page * pageRows, total))} of {formatCount(total)}
      </span>
      {sizes && (
        <label className="me-2 flex items-center gap-2 text-xs text-muted">
          <span className="max-sm:sr-only">Rows per page</span>
          <select
            value={pageRows}
            onChange={(event) => sizes.onChange(Number(event.target.value))}
            className="h-7 rounded-md border border-line-strong bg-surface px-1.5 font-medium text-ink tabular-nums"
          >
            {sizes.options.map((rows) => (
              <option key={rows}>{rows}</option>
            ))}
          </select>
        </label>
      )}
      <Button
        square
        look="quiet"
        className="h-7!"
        aria-label="Previous page"
        disabled={page <= 1}
        onClick={() => onChange(page - 1)}
      >
        <ChevronLeft className="size-4" aria-hidden="true" />
      </Button>
      <span className="text-xs tabular-nums">
        Page {formatCount(page)} / {formatCount(last)}
      </span>
      <Button
        square
        look="quiet"
        className="h-7!"
        aria-label="Next page"
        disabled={page >= last}
        onClick={() => onChange(page + 1)}
      >
        <ChevronRight className="size-4" aria-hidden="true" />
      </Button>
    </nav>
  );
}
