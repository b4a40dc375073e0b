import type { ReactNode } from 'react';

/** One row of a list of facts, inside a `dl`. */
export function Fact({ label, children }: { label: ReactNode; children: ReactNode }) {
  return (
    <div className="flex min-h-8 items-center justify-between gap-4 border-t border-line py-1.5 first:border-t-0">
      <dt className="shrink-0 text-muted">{label}</dt>
      <dd className="min-w-0 text-end text-pretty break-words">{children}</dd>
    </div>
  );
}
