import type { ReactNode } from 'react';

interface FigureCardProps {
  label: string;
  /** Beside the label: an explanation. */
  tip?: ReactNode;
  /** Below the figure. */
  note?: ReactNode;
  /** Undefined while it loads. */
  children: ReactNode;
  className?: string;
}

/** One figure of a screen, inside a `dl`. Keeps its height while it loads. */
export function FigureCard({ label, tip, note, children, className = '' }: FigureCardProps) {
  const isLoading = children === undefined;
  return (
    <div className={`min-w-0 px-4 py-3 ${className}`}>
      <dt className="flex h-5 items-center gap-0.5 text-xs text-muted">
        {label}
        {tip}
      </dt>
      <dd className="flex h-7 items-center text-xl font-semibold tracking-tight whitespace-nowrap tabular-nums">
        {isLoading ? <span className="skeleton h-5 w-28" /> : children}
      </dd>
      <dd className="flex min-h-5 items-center text-xs text-muted tabular-nums">
        {isLoading ? <span className="skeleton h-3 w-40 max-w-full" /> : note}
      </dd>
    </div>
  );
}
