const FACTS = ['w-24', 'w-28', 'w-16'] as const;

function Facts() {
  return (
    <div className="border border-line bg-surface px-4 pt-3 pb-4 max-sm:-mx-4 max-sm:border-x-0 sm:rounded-lg">
      <span className="skeleton mb-3 block h-4 w-20" />
      {FACTS.map((width) => (
        <div
          key={width}
          className="flex h-8 items-center justify-between border-t border-line first-of-type:border-t-0"
        >
          <span className={`skeleton h-3 ${width}`} />
          <span className="skeleton h-3 w-20" />
        </div>
      ))}
    </div>
  );
}

/** The skeleton of the settings while they load. Announces nothing: the screen has the text. */
export function CommunitySkeleton() {
  return (
    <div aria-hidden="true">
      <div className="mt-1 mb-4 flex items-end justify-between">
        <div className="space-y-2">
          <span className="skeleton block h-6 w-48" />
          <span className="skeleton block h-3 w-64 max-w-full" />
        </div>
        <span className="skeleton block h-10 w-40 max-sm:hidden" />
      </div>
      <div className="grid gap-4 xl:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid content-start gap-4 sm:max-xl:grid-cols-2 xl:col-start-2">
          <Facts />
          <Facts />
        </div>
        <div className="border border-line bg-surface px-4 pt-3 pb-4 max-sm:-mx-4 max-sm:border-x-0 sm:rounded-lg xl:col-start-1 xl:row-start-1">
          <span className="skeleton mb-4 block h-4 w-36" />
          <span className="skeleton block h-92" />
        </div>
      </div>
    </div>
  );
}
