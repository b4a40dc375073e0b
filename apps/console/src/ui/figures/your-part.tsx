/** Marks a figure as the reader's part: others, whom the reader does not see, have shares too. */
export function YourPart({ isPart, title }: { isPart: boolean | undefined; title: string }) {
  if (!isPart) return null;
  return (
    <span
      title={title}
      className="shrink-0 rounded bg-subtle px-1.5 text-xs leading-5 font-normal text-muted"
    >
      your part
    </span>
  );
}
