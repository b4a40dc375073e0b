import { clsx } from 'clsx';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

interface MessagePanelProps {
  icon: LucideIcon;
  title: string;
  text: ReactNode;
  /** Announces it at once: for failures. */
  alert?: boolean;
  level?: 1 | 2 | 3;
  /** For a part of the screen instead of the whole. */
  small?: boolean;
  children?: ReactNode;
}

/** Replaces content: nothing there, not allowed, or failed. */
export function MessagePanel({
  icon: Icon,
  title,
  text,
  alert,
  level = 2,
  small,
  children,
}: MessagePanelProps) {
  const Heading = `h${level}` as const;
  return (
    <div
      role={alert ? 'alert' : 'status'}
      className={clsx(
        'mx-auto flex max-w-md flex-col items-center justify-center px-6 text-center',
        small ? 'py-6' : 'h-full min-h-56 py-10',
      )}
    >
      <span className="mb-3 flex size-10 items-center justify-center rounded-full bg-subtle text-muted">
        <Icon className="size-5" aria-hidden="true" />
      </span>
      <Heading className="text-base font-semibold text-ink" tabIndex={level === 1 ? -1 : undefined}>
        {title}
      </Heading>
      <p className="mt-1 text-pretty break-words text-muted">{text}</p>
      {children && <div className="mt-5 flex flex-wrap justify-center gap-2">{children}</div>}
    </div>
  );
}
