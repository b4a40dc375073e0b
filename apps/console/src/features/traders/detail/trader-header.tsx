import type { Trader } from '@copydesk/contract/traders';
import type { ReactNode } from 'react';
import { displayName } from '../../../lib/format/trader-name.ts';
import { PageHeader } from '../../../ui/layout/page.tsx';
import { StatusBadge } from '../status-badge.tsx';

interface TraderHeaderProps {
  trader: Trader;
  back: ReactNode;
  actions: ReactNode;
}

export function TraderHeader({ trader, back, actions }: TraderHeaderProps) {
  return (
    <PageHeader
      back={back}
      actions={actions}
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
