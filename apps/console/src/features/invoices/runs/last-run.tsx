import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { formatCount, formatWholeUsd } from '../../../lib/format/numbers.ts';
import { fullTime, readTime } from '../../../lib/format/read-time.ts';
import { isWorking, lastRunQuery, type Run } from './runs-queries.ts';

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

/** The last invoicing run, in one line, which leads to it. */
export function LastRun() {
  const { data: run } = useQuery(lastRunQuery);
  if (!run) return null;
  const at = run.finished_at ?? run.created_at;
  const found = `${formatCount(run.invoices)} ${run.invoices === 1 ? 'invoice' : 'invoices'}, ${formatWholeUsd(run.amount)}`;
  return (
    <Link
      to="/invoices/runs/$runId"
      params={{ runId: run.id }}
      title={`By ${run.sent_by ?? run.requested_by}, ${fullTime(at)}`}
      className="truncate rounded tabular-nums hover:text-accent hover:underline"
    >
      {isWorking(run) && (run.state === 'preparing' ? 'Invoicing is prepared' : 'Invoicing is running')}
      {run.state === 'draft' && `Draft of invoices ${readTime(at)}: ${found}`}
      {run.state === 'discarded' && `Draft of invoices discarded ${readTime(at)}`}
      {run.state === 'done' && `Last invoicing ${readTime(at)}: ${found}${leftOver(run)}`}
    </Link>
  );
}
