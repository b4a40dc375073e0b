import { clsx } from 'clsx';
import { formatDate, fullTime, minuteOfDay, readTime } from '../../lib/format/read-time.ts';
import { relativeTime } from '../../lib/format/relative-time.ts';

interface WhenProps {
  at: string;
  /**
   * `moment` is as short as is clear, `date` has the year beside the minute, `day` is a date alone, and `ago` counts from
   * now.
   */
  as?: 'moment' | 'date' | 'day' | 'ago';
  /** What the pointer shows instead of the whole time, which it contains. */
  title?: string;
  className?: string;
}

/** A time in the zone of its reader, which the top bar names; whole when pointed at. */
export function When({ at, as = 'moment', title = fullTime(at), className }: WhenProps) {
  return (
    <time dateTime={at} title={title} className={clsx('tabular-nums', className)}>
      {as === 'moment' && readTime(at)}
      {as === 'day' && formatDate(at)}
      {as === 'ago' && relativeTime(at)}
      {as === 'date' && (
        <>
          {formatDate(at)} <span className="text-xs text-muted">{minuteOfDay(at)}</span>
        </>
      )}
    </time>
  );
}
