import { useQuery } from '@tanstack/react-query';
import { formatCount, formatWholeUsd } from '../../../lib/format/numbers.ts';
import { fullTime, readTime } from '../../../lib/format/read-time.ts';
import { lastRunQuery, type Run } from './runs-queries.ts';

/** What a person has to look at: traders that were not invoiced, and messages that did not arrive. */
function leftOver({ problem_count: problems, messages: { failed } }: Run): string {
  return [
    problems > 0 && `${formatCount(problems)} ${problems === 1 ? 'problem' : 'problems'}`,
    failed > 0 && `${formatCount(failed)} ${failed === 1 ? 'message' : 'messages'} not delivered`,
  ]
    .filter((part) => part !== false)
    .map((part) => `, ${part}`)
    .join('');
}

/** The last invoicing run, in one line. */
export function LastRun() {
  const { data: run } = useQuery(lastRunQuery);
  if (!run) return null;
  const at = run.finished_at ?? run.created_at;
  return (
    <span className="truncate tabular-nums" title={`By ${run.requested_by}, ${fullTime(at)}`}>
      {run.state === 'running' ? 'Invoicing is running' : `Last invoicing ${readTime(at)}`}
      {run.state === 'done' &&
        `: ${formatCount(run.invoices)} ${run.invoices === 1 ? 'invoice' : 'invoices'}, ${formatWholeUsd(run.amount)}${leftOver(run)}`}
    </span>
  );
}
