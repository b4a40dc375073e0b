import { clsx } from 'clsx';
import X from 'lucide-react/icons/x';
import type { ReactNode } from 'react';
import { Button } from '../form/button.tsx';

interface SelectionBarProps {
  /** How much is selected, and its sum. */
  words: ReactNode;
  /** Selecting more, at phone width beside the words. */
  more?: ReactNode;
  onClear(): void;
  /** Above a plain table, whose header is lower. */
  isPlain?: boolean;
  /** The acts, the harmless one first. */
  children: ReactNode;
}

/** The size of its buttons. */
export const IN_SELECTION_BAR = 'h-7! px-2.5! max-md:h-8!';

/**
 * The selection of a table and its acts. Covers the table's header, beside the box that selects, so that no row moves or is
 * hidden; at phone width it covers the foot of the screen.
 */
export function SelectionBar({ words, more, onClear, isPlain, children }: SelectionBarProps) {
  return (
    <section
      aria-label="Selection"
      className={clsx(
        'absolute top-0 end-0 start-12 z-30 flex items-center gap-3 border-b border-line bg-subtle pe-1 ps-3',
        isPlain ? 'h-8' : 'h-9',
        'max-md:fixed max-md:inset-x-0 max-md:top-auto max-md:bottom-0 max-md:h-auto max-md:flex-wrap max-md:gap-x-1',
        'max-md:gap-y-2 max-md:border-t max-md:bg-raised max-md:p-3 max-md:shadow-raised',
      )}
    >
      <p role="status" className="min-w-0 truncate tabular-nums max-md:basis-4/5">
        {words}
      </p>
      {more}
      <Button
        square
        look="quiet"
        className="size-7! max-md:ms-auto md:order-last"
        aria-label="Clear selection"
        title="Clear selection"
        onClick={onClear}
      >
        <X className="size-4" aria-hidden="true" />
      </Button>
      <div className="ms-auto flex shrink-0 items-center gap-1.5 max-md:w-full max-md:flex-wrap">
        {children}
      </div>
    </section>
  );
}
