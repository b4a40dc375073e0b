import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

interface MessagePanelProps {
  icon: LucideIcon;
  title: string;
  text: ReactNode;
  /** Announce it at once: for failures. */
  alert?: boolean;
  level?: 1 | 2;
  children?: ReactNode;
}

/** What stands in place of content: nothing there, not allowed, went wrong. */
export function MessagePanel({ icon: Icon, title, text, alert, level = 2, children }: MessagePanelProps) {
  const Heading = level === 1 ? 'h1' : 'h2';
  return (
    <div
      role={alert ? 'alert' : 'status'}
      className="mx-auto flex h-full min-h-56 max-w-md flex-col items-center justify-center px-6 py-10 text-center"
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
