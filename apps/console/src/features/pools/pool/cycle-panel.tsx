import { useQuery } from '@tanstack/react-query';
import { messageOf } from '../../../lib/api/api-error.ts';
import { formatCount } from '../../../lib/format/numbers.ts';
import { ErrorLine } from '../../../ui/feedback/error-line.tsx';
import { Facts, StackedFact } from '../../../ui/figures/fact.tsx';
import { When } from '../../../ui/figures/when.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { CycleProgress } from '../harvest/cycle-progress.tsx';
import { StageBar, useServerTime } from '../harvest/stage-bar.tsx';
import { cycleWords, stepName } from '../harvest-texts.ts';
import { type HarvestHistory, harvestHistoryQuery, type PooledAccount } from '../pools-queries.ts';

interface CyclePanelProps {
  pool: PooledAccount;
  isSuper: boolean;
  explorerUrl: string;
}

/** The present harvest cycle of a pool: what happens, since when and until when, and the earlier cycles. */
export function CyclePanel({ pool, isSuper, explorerUrl }: CyclePanelProps) {
  const { data, error, refetch } = useQuery(harvestHistoryQuery(pool));
  // The record's own cycle, as in the page's heading: another answer could be of another moment.
  const cycle = pool.current_harvest_cycle;
  const now = useServerTime(data);
  const isLate = cycle.deadline_at !== null && now !== null && Date.parse(cycle.deadline_at) < now;
  return (
    <Panel title="Harvest Cycle" note={<span>Cycle {formatCount(cycle.cycle_number)}</span>}>
      <StageBar pool={pool} history={data} now={now} />
      <p className="pb-2 text-pretty text-muted">{cycleWords(cycle)}</p>
      <Facts className="grid grid-cols-2 gap-x-4 gap-y-2 border-t border-line py-3 sm:grid-cols-3">
        <StackedFact label={cycle.status === 'failed' ? 'Failed in' : 'Step'}>
          {stepName(cycle.step)}
        </StackedFact>
        <StackedFact label="Since">
          <When at={cycle.since} />
        </StackedFact>
        <StackedFact label="Deadline">
          {cycle.deadline_at ? (
            <span className={isLate ? 'text-caution' : undefined}>
              {isLate && 'Passed: '}
              <When at={cycle.deadline_at} />
            </span>
          ) : (
            <span className="text-muted">None</span>
          )}
        </StackedFact>
      </Facts>
      {isSuper && <CycleProgress pool={pool} explorerUrl={explorerUrl} />}
      {error && !data ? (
        <div className="border-t border-line pt-3">
          <ErrorLine message={messageOf(error)} onRetry={() => void refetch()} />
        </div>
      ) : (
        <EarlierCycles history={data} />
      )}
    </Panel>
  );
}

/** The server lists the latest cycles only. */
function earlierWords(listed: number, all: number): string {
  if (listed < all) return `The latest ${formatCount(listed)} of ${formatCount(all)} earlier cycles`;
  return listed === 1 ? '1 earlier cycle' : `${formatCount(listed)} earlier cycles`;
}

/** Each cycle ends with the pool's return to trading. */
function EarlierCycles({ history }: { history: HarvestHistory | undefined }) {
  if (history === undefined) return <span aria-hidden="true" className="skeleton mt-3 block h-3 w-40" />;
  const { cycles: ended, current } = history;
  if (ended.length === 0)
    return <p className="border-t border-line pt-2 text-xs text-muted">No earlier cycle</p>;
  return (
    <details open className="border-t border-line pt-2 text-xs">
      <summary className="w-fit cursor-pointer rounded text-muted">
        {earlierWords(ended.length, current.cycle_number - 1)}
      </summary>
      <ul aria-label="Earlier cycles" className="max-h-44 divide-y divide-line overflow-y-auto">
        {ended.map(({ id, cycle_number, started_at, ended_at }) => (
          <li key={id} className="flex justify-between gap-3 py-1.5">
            <span>Cycle {formatCount(cycle_number)}</span>
            <span className="text-muted">
              {started_at && <When at={started_at} />} {started_at && 'to '}
              {ended_at && <When at={ended_at} />}
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
