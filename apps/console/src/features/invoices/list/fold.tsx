import { clsx } from 'clsx';
import ChevronRight from 'lucide-react/icons/chevron-right';
import ChevronsDownUp from 'lucide-react/icons/chevrons-down-up';
import ChevronsUpDown from 'lucide-react/icons/chevrons-up-down';

/** Shows whether a group is unfolded. The row carries the state for assistive technology. */
export function Fold({ isExpanded }: { isExpanded: boolean }) {
  return (
    <ChevronRight
      aria-hidden="true"
      className={clsx('size-4 shrink-0 text-muted transition-transform', isExpanded && 'rotate-90')}
    />
  );
}

/** Unfolds all groups of the page, or folds them again. */
export function FoldAll({ isExpanded, onClick }: { isExpanded: boolean; onClick(): void }) {
  const Icon = isExpanded ? ChevronsDownUp : ChevronsUpDown;
  const label = isExpanded ? 'Collapse all' : 'Expand all';
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={onClick}
      className="-m-1.5 flex size-7 shrink-0 items-center justify-center rounded hover:bg-hover hover:text-ink"
    >
      <Icon className="size-3.5" aria-hidden="true" />
    </button>
  );
}
