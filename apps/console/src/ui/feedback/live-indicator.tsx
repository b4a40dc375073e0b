import { clsx } from 'clsx';
import { minuteWords } from '../../lib/format/zone-time.ts';
import { lastHeardAt } from '../../lib/live/live-status.ts';
import { useStore } from '../../lib/store.ts';

const WORDS = { connecting: 'Connecting', live: 'Live', offline: 'Not live' } as const;

/** Whether changes arrive automatically, or the time of the interruption. Quiet: a dot and a word. */
export function LiveIndicator({ status }: { status: keyof typeof WORDS }) {
  const heardAt = useStore(lastHeardAt);
  const isStale = status === 'offline' && heardAt > 0;
  return (
    <span
      className="inline-flex items-center gap-1.5"
      title={status === 'offline' ? 'Changes do not arrive automatically. Reload to see them.' : undefined}
    >
      <span
        aria-hidden="true"
        className={clsx('size-1.5 rounded-full', {
          'bg-positive': status === 'live',
          'border border-muted': status === 'offline',
          'bg-line-strong': status === 'connecting',
        })}
      />
      {isStale ? `Not live since ${minuteWords(new Date(heardAt).toISOString())}` : WORDS[status]}
    </span>
  );
}
