import type { ReactNode } from 'react';
import { useAsOf } from '../../lib/live/freshness.ts';
import { PageHeader } from '../../ui/layout/page.tsx';

interface InvoicesHeaderProps {
  totalsAt: string | null;
  /** The page's groups have changed on the server. */
  isOutdated: boolean;
  onShowNewest(): void;
  /** The time of the last invoicing run. */
  lastRun: ReactNode;
  actions: ReactNode;
}

export function InvoicesHeader({
  totalsAt,
  isOutdated,
  onShowNewest,
  lastRun,
  actions,
}: InvoicesHeaderProps) {
  useAsOf(totalsAt, 'Counts');
  return (
    <PageHeader
      title="Invoices"
      facts={
        <p className="flex min-w-0 items-center gap-2 text-xs whitespace-nowrap text-muted">
          {isOutdated && (
            <button
              type="button"
              onClick={onShowNewest}
              className="rounded px-1 font-medium text-accent hover:bg-accent-soft"
            >
              The list has changed: show
            </button>
          )}
          <span className="contents max-lg:hidden">{lastRun}</span>
        </p>
      }
      actions={actions}
    />
  );
}
