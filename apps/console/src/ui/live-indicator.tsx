import { clsx } from 'clsx';

const WORDS = { connecting: 'Connecting', live: 'Live', offline: 'Offline' } as const;

/** Whether changes arrive by themselves. Quiet: a dot and a word. */
export function LiveIndicator({ status }: { status: keyof typeof WORDS }) {
  return (
    <span
      className="inline-flex items-center gap-1.5"
      title={status === 'offline' ? 'Changes do not arrive by themselves' : undefined}
    >
      <span
        aria-hidden="true"
        className={clsx('size-1.5 rounded-full', {
          'bg-positive': status === 'live',
          'border border-muted': status === 'offline',
          'bg-line-strong': status === 'connecting',
        })}
      />
      {WORDS[status]}
    </span>
  );
}
