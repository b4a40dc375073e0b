import { clsx } from 'clsx';
import ArrowDown from 'lucide-react/icons/arrow-down';
import ArrowUp from 'lucide-react/icons/arrow-up';
import type { Direction } from '../../../lib/url/sorting.ts';

/** The values of `aria-sort`. */
export const SORT_WORDS = { asc: 'ascending', desc: 'descending' } as const;

interface SortButtonProps {
  header: string;
  /** Null: the table is not sorted by this column. */
  direction: Direction | null;
  isEnd: boolean;
  onClick(): void;
}

export function SortButton({ header, direction, isEnd, onClick }: SortButtonProps) {
  const Arrow = direction === 'asc' ? ArrowUp : ArrowDown;
  return (
    <button
      type="button"
      onClick={onClick}
      className={clsx(
        'group/sort -mx-1.5 inline-flex h-7 max-w-[calc(100%+0.75rem)] items-center gap-1 rounded px-1.5 hover:text-ink',
        isEnd && 'flex-row-reverse',
        direction && 'text-ink',
      )}
    >
      <span className="truncate">{header}</span>
      <Arrow
        aria-hidden="true"
        className={clsx(
          'size-3 shrink-0',
          direction
            ? 'text-accent'
            : 'opacity-0 group-hover/sort:opacity-60 group-focus-visible/sort:opacity-60',
        )}
      />
    </button>
  );
}
