import { formatCount, formatWholeUsd } from '@copydesk/domain';
import { useQuery } from '@tanstack/react-query';
import { fullTime, readTime } from '../../../lib/read-time.ts';
import { lastRunQuery } from './runs-queries.ts';

/** The last invoicing run, in one line. */
export function LastRun() {
  const { data: run } = useQuery(lastRunQuery);
  if (!run) return null;
  const at = run.finished_at ?? run.created_at;
  return (
    <span className="truncate tabular-nums" title={`By ${run.requested_by}, ${fullTime(at)}`}>
      {run.state === 'running' ? 'Invoicing is running' : `Last invoicing ${readTime(at)}`}
      {run.state === 'done' &&
        `: ${formatCount(run.invoices)} ${run.invoices === 1 ? 'invoice' : 'invoices'}, ${formatWholeUsd(run.amount)}`}
    </span>
  );
}
