const LINES = Array.from({ length: 8 }, (_, index) => index);

/** The skeleton of a loading payout. */
export function PanelSkeleton() {
  return (
    <div role="status" className="px-4 py-1">
      <span className="sr-only">Loading payout...</span>
      {LINES.map((line) => (
        <div
          key={line}
          className="flex h-8 items-center justify-between border-t border-line first:border-t-0"
        >
          <span className="skeleton h-3 w-24" />
          <span className="skeleton h-3 w-32" />
        </div>
      ))}
    </div>
  );
}
