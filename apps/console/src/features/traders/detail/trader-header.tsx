import type { Trader } from '@copydesk/contract/traders';
import type { ReactNode } from 'react';
import { displayName } from '../../../lib/format/trader-name.ts';
import { PageHeader } from '../../../ui/layout/page.tsx';
import { StatusBadge } from '../status-badge.tsx';

export function TraderHeader({ trader, back }: { trader: Trader; back: ReactNode }) {
  return (
    <PageHeader
      back={back}
      title={displayName(trader)}
      facts={
        <>
          <StatusBadge status={trader.status} />
          <p className="text-muted">
            {trader.reference_number ? (
              <>
                KAIT number <span className="font-mono text-sm text-ink">{trader.reference_number}</span>
              </>
            ) : (
              'No reference number'
            )}
          </p>
        </>
      }
    />
  );
}
