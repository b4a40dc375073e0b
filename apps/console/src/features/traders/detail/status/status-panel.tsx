import type { Trader } from '@copydesk/contract/traders';
import { TRADER_STATUSES, type TraderStatus } from '@copydesk/domain/traders';
import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { useCan } from '../../../../lib/rights.ts';
import { Button } from '../../../../ui/form/button.tsx';
import { Panel } from '../../../../ui/layout/panel.tsx';
import { STATUS_LABELS } from '../../status-labels.ts';
import { ConfirmStatusDialog } from './confirm-status-dialog.tsx';

export function StatusPanel({ trader }: { trader: Trader }) {
  const isAllowed = useCan('traders:write');
  const [wanted, setWanted] = useState<TraderStatus | null>(null);
  return (
    <Panel title="Trader Status">
      <select
        aria-label="Trader Status"
        value={trader.status}
        disabled={!isAllowed}
        title={isAllowed ? undefined : 'Your role does not include changes of traders'}
        onChange={({ target }) => {
          const picked = TRADER_STATUSES.find((status) => status === target.value);
          if (picked && picked !== trader.status) setWanted(picked);
        }}
        className="h-8 w-full rounded-md border border-control bg-surface px-2.5 font-medium"
      >
        {TRADER_STATUSES.map((status) => (
          <option key={status} value={status}>
            {STATUS_LABELS[status]}
          </option>
        ))}
      </select>
      {trader.suggested_delinquent_at && (
        <div className="mt-2 rounded-md border border-caution bg-caution-soft p-2 text-xs">
          <p className="flex gap-1.5">
            <TriangleAlert aria-hidden="true" className="mt-0.5 size-3.5 shrink-0 text-caution" />
            Invoices are overdue: suggested as {STATUS_LABELS.delinquent}.
          </p>
          {isAllowed && (
            <Button className="mt-2 w-full" onClick={() => setWanted('delinquent')}>
              Mark as {STATUS_LABELS.delinquent}
            </Button>
          )}
        </div>
      )}
      <p className="mt-2 text-xs break-words text-muted">
        Last updated by <span className="text-ink">{trader.last_updated_by ?? 'N/A'}</span>
      </p>
      {wanted && <ConfirmStatusDialog trader={trader} to={wanted} onClose={() => setWanted(null)} />}
    </Panel>
  );
}
