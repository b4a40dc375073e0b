import { clsx } from 'clsx';
import type { ReactNode } from 'react';

interface FigureCardProps {
  label: string;
  /** Beside the label: an explanation. */
  tip?: ReactNode;
  /** Below the figure. */
  note?: ReactNode;
  /** Below both, at the foot of the card: how the figure moves. */
  below?: ReactNode;
  /** The figures that a screen is opened for. */
  isLarge?: boolean;
  /** Undefined while it loads. */
  children: ReactNode;
  className?: string;
}

/** One figure of a screen, inside a `dl`. Keeps its height while it loads. */
export function FigureCard({
  label,
  tip,
  note,
  below,
  isLarge = false,
  children,
  className = '',
}: FigureCardProps) {
  const isLoading = children === undefined;
  return (
    <div className={clsx('min-w-0 px-4 py-3', className)}>
      <dt className="flex h-5 items-center gap-0.5 text-xs text-muted">
        {label}
        {tip}
      </dt>
      <dd
        className={clsx(
          'flex items-center font-semibold tracking-tight whitespace-nowrap tabular-nums',
          isLarge ? 'h-8 text-2xl' : 'h-7 text-xl',
        )}
      >
        {isLoading ? <span className="skeleton h-5 w-28" /> : children}
      </dd>
      <dd className="flex min-h-5 items-center text-xs text-muted tabular-nums">
        {isLoading ? <span className="skeleton h-3 w-40 max-w-full" /> : note}
      </dd>
      {below !== undefined && <dd className="mt-auto pt-2">{below}</dd>}
    </div>
  );
}
