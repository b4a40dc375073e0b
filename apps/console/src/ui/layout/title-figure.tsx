import type { ReactNode } from 'react';

interface TitleFigureProps {
  label: string;
  tip?: ReactNode;
  /** null: not known yet */
  children: ReactNode;
}

/** The figure of a whole screen, in the line of its title. */
export function TitleFigure({ label, tip, children }: TitleFigureProps) {
  return (
    <dl className="flex items-baseline gap-2">
      <dt className="flex items-center gap-0.5 self-center text-xs text-muted">
        {label}
        {tip}
      </dt>
      <dd className="text-xl font-semibold tracking-tight tabular-nums">
        {children ?? <span className="skeleton block h-5 w-32" />}
      </dd>
    </dl>
  );
}
