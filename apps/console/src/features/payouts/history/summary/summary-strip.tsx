import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { Tooltip } from 'radix-ui';
import { summaryQuery } from '../history-queries.ts';
import type { PayoutNarrowing } from '../history-search.ts';
import { TypeFigure } from './type-figure.tsx';

const EXPECTED = Array.from({ length: 5 }, (_, index) => index);
const GRID = 'grid grid-cols-2 p-1 sm:grid-cols-[repeat(auto-fit,minmax(8.5rem,1fr))]';

/** Ordered and paid amounts of each recipient type, under the filters. */
export function SummaryStrip({ narrowing }: { narrowing: PayoutNarrowing }) {
  const { data, error, isPlaceholderData, refetch } = useQuery(summaryQuery(narrowing));
  if (data?.data.length === 0) return null;
  return (
    <section
      aria-label="Totals by recipient type"
      aria-busy={!data && !error}
      className="mt-3 shrink-0 rounded-lg border border-line bg-surface"
    >
      {data ? (
        <Tooltip.Provider delayDuration={150}>
          <ul className={clsx(GRID, 'transition-opacity', isPlaceholderData && 'opacity-55')}>
            {data.data.map((summary) => (
              <li key={summary.recipient_type} className="min-w-0">
                <TypeFigure summary={summary} />
              </li>
            ))}
          </ul>
        </Tooltip.Provider>
      ) : error ? (
        <p className="flex min-h-15 items-center gap-3 px-4 text-muted">
          The totals could not be loaded
          <button type="button" onClick={() => void refetch()} className="rounded font-medium text-accent">
            Try again
          </button>
        </p>
      ) : (
        <div className={GRID} aria-hidden="true">
          {EXPECTED.map((index) => (
            <div key={index} className="flex h-24 flex-col max-sm:h-20 justify-center gap-2 px-3">
              <span className="skeleton h-3 w-16" />
              <span className="skeleton h-3 w-24" />
            </div>
          ))}
        </div>
      )}
    </section>
  );
}
