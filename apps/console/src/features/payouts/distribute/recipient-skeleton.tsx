const LINES = Array.from({ length: 6 }, (_, index) => index);

/** The skeleton of the recipients while they load. */
export function RecipientSkeleton() {
  return (
    <div role="status">
      <span className="sr-only">Loading recipients...</span>
      <div className="flex h-12 items-center justify-between px-4">
        <span className="skeleton h-3 w-48" />
        <span className="skeleton h-6 w-20" />
      </div>
      {LINES.map((line) => (
        <div key={line} className="flex h-9 items-center justify-between border-t border-line px-4">
          <span className="skeleton h-3 w-28" />
          <span className="skeleton h-3 w-20 max-sm:hidden" />
          <span className="skeleton h-3 w-16" />
        </div>
      ))}
    </div>
  );
}
