import { clsx } from 'clsx';
import type { ReactNode } from 'react';

interface PageProps {
  /** Fills the height of the window, for a list that scrolls within. */
  fills?: boolean;
  children: ReactNode;
}

/** The content of a screen beside the navigation: as wide as tables are still read, one gutter on either side. */
export function Page({ fills = false, children }: PageProps) {
  return (
    <div
      className={clsx(
        'mx-auto w-full max-w-440 px-4 sm:px-6',
        fills ? 'flex h-full min-h-120 flex-col sm:pb-6' : 'space-y-4 pb-8',
      )}
    >
      {children}
    </div>
  );
}

interface PageHeaderProps {
  /** The way back to the list, on the screen of a record. */
  back?: ReactNode;
  title: ReactNode;
  /** Beside the title: its state, or a sum. */
  facts?: ReactNode;
  actions?: ReactNode;
  /** What must be known about the figures below. */
  note?: ReactNode;
}

/** One line above a screen: its title, and what one does there. */
export function PageHeader({ back, title, facts, actions, note }: PageHeaderProps) {
  return (
    <header className="shrink-0">
      <div className="flex min-h-12 flex-wrap items-center gap-x-4 gap-y-1 py-1.5">
        {back}
        <h1 tabIndex={-1} className="text-xl font-semibold tracking-tight">
          {title}
        </h1>
        {facts}
        {actions && (
          <div data-acts className="ms-auto flex flex-wrap items-center gap-2">
            {actions}
          </div>
        )}
      </div>
      {note && <div className="-mt-1 pb-2 text-xs text-pretty text-muted">{note}</div>}
    </header>
  );
}
