import type { Trader } from '@copydesk/contract/traders';
import { formatDate, fullTime } from '../../../../lib/format/read-time.ts';

export function Timestamps({ trader }: { trader: Trader }) {
  return (
    <dl className="grid gap-y-1 px-4 text-xs text-muted max-sm:px-0">
      <div className="flex justify-between gap-1.5">
        <dt>Created</dt>
        <dd className="text-ink" title={fullTime(trader.created_at)}>
          {formatDate(trader.created_at)}
        </dd>
      </div>
      <div className="flex justify-between gap-1.5">
        <dt>Last Updated</dt>
        <dd className="text-ink" title={fullTime(trader.updated_at)}>
          {formatDate(trader.updated_at)}
        </dd>
      </div>
    </dl>
  );
}
