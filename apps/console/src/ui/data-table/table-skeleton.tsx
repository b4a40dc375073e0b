/** The shape of a table whose rows are on their way, with its announced text. */
export function TableSkeleton({ text }: { text: string }) {
  return (
    <div className="min-h-0 flex-1 overflow-hidden">
      <p
        role="status"
        className="flex h-9 items-center border-b border-line bg-subtle px-4 text-xs text-muted"
      >
        {text}
      </p>
      <div aria-hidden="true">
        {Array.from({ length: 24 }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
          <div key={index} className="flex h-9 items-center gap-4 border-b border-line px-4">
            <span className="skeleton h-3 w-24" />
            <span className="skeleton h-3 w-32 sm:mr-auto" />
            <span className="skeleton hidden h-3 w-20 sm:block" />
            <span className="skeleton hidden h-3 w-28 sm:block" />
          </div>
        ))}
      </div>
    </div>
  );
}
