import type { ReactNode } from 'react';

/** One row of a list of facts, inside a `dl`. A label may be a name of any length: it takes three fifths at most. */
export function Fact({ label, children }: { label: ReactNode; children: ReactNode }) {
  return (
    <div className="flex min-h-8 items-center justify-between gap-4 border-t border-line py-1.5 first:border-t-0">
      <dt className="max-w-3/5 shrink-0 text-muted break-words">{label}</dt>
      <dd className="min-w-0 text-end text-pretty break-words">{children}</dd>
    </div>
  );
}
