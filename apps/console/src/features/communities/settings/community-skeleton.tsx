/** The shape of the settings while they are on their way. Says nothing: the screen has the words. */
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
        <span className="skeleton block h-110" />
        <div className="space-y-4">
          <span className="skeleton block h-40" />
          <span className="skeleton block h-40" />
        </div>
      </div>
    </div>
  );
}
