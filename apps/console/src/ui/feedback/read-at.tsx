import { fullTime, readTime } from '../../lib/read-time.ts';

/** The time at which the figures beside it were read. */
export function ReadAt({ at }: { at: string | null | undefined }) {
  if (!at) return <span className="text-xs text-muted">not read yet</span>;
  return (
    <time
      dateTime={at}
      title={`Read ${fullTime(at)}`}
      className="text-xs whitespace-nowrap text-muted tabular-nums"
    >
      as of {readTime(at)}
    </time>
  );
}
