import { formatCount } from '@copydesk/domain';
import ChevronLeft from 'lucide-react/icons/chevron-left';
import ChevronRight from 'lucide-react/icons/chevron-right';
import { Button } from './button.tsx';

interface PagerProps {
  /** Counted from 1. */
  page: number;
  pageRows: number;
  total: number;
  onChange(page: number): void;
}

export function Pager({ page, pageRows, total, onChange }: PagerProps) {
  const last = Math.max(1, Math.ceil(total / pageRows));
  const first = (page - 1) * pageRows + 1;
  return (
    <nav aria-label="Pages" className="flex items-center justify-end gap-2 border-t border-line px-4 py-1.5">
      <span role="status" className="mr-auto text-xs text-muted tabular-nums">
        {formatCount(first)}–{formatCount(Math.min(page * pageRows, total))} of {formatCount(total)}
      </span>
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
