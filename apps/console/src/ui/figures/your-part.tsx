/** Shown beside a figure in which others have a share too, whom its reader does not see. */
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
