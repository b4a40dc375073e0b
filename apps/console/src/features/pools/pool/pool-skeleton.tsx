const LINES = [1, 2, 3, 4, 5, 6];

function Box({ className = '' }: { className?: string }) {
  return (
    <div
      className={`border border-line bg-surface px-4 pt-3 pb-4 max-sm:-mx-4 max-sm:border-x-0 sm:rounded-lg ${className}`}
    >
      <span className="skeleton mb-3 block h-4 w-28" />
      {LINES.map((line) => (
        <div key={line} className="flex h-8 items-center justify-between border-t border-line">
          <span className="skeleton h-3 w-24" />
          <span className="skeleton h-3 w-20" />
        </div>
      ))}
    </div>
  );
}

/** The skeleton of a pool while it loads. Announces nothing: the screen has the text. */
export function PoolSkeleton({ isSuper }: { isSuper: boolean }) {
  return (
    <div aria-hidden="true" className="space-y-4">
      <div className="mt-1 flex items-end justify-between">
        <div className="space-y-2">
          <span className="skeleton block h-6 w-56" />
          <span className="skeleton block h-3 w-64 max-w-full" />
        </div>
        <span className="skeleton block h-10 w-64 max-sm:hidden" />
      </div>
      <div className="grid gap-4 lg:grid-cols-2">
        <Box className={isSuper ? '' : 'lg:col-span-2'} />
        {isSuper && <Box />}
      </div>
      <Box />
    </div>
  );
}
