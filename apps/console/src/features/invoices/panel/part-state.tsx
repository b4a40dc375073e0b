import type { ReactNode } from 'react';
import { ErrorLine } from '../../../ui/feedback/error-line.tsx';

interface PartStateProps {
  error: string | null;
  onRetry(): void;
  isLoading: boolean;
  /** The text for an empty part. */
  empty: string | null;
  children: ReactNode;
}

/** A part of the panel that loads separately: error first, in one line, since the panel is narrow. */
export function PartState({ error, onRetry, isLoading, empty, children }: PartStateProps) {
  if (error !== null) {
    return (
      <div className="px-4 pb-3">
        <ErrorLine message={error} onRetry={onRetry} />
      </div>
    );
  }
  if (isLoading) {
    return (
      <div aria-hidden="true" className="space-y-2 px-4 pb-3">
        <span className="skeleton block h-4 w-full" />
        <span className="skeleton block h-4 w-2/3" />
      </div>
    );
  }
  return empty === null ? children : <p className="px-4 pb-3 text-muted">{empty}</p>;
}
