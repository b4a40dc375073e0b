const LINES = Array.from({ length: 9 }, (_, index) => index);

/** The skeleton of a side panel that loads. */
export function PanelSkeleton({ text }: { text: string }) {
  return (
    <div role="status" className="px-4 py-1">
      <span className="sr-only">{text}</span>
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
