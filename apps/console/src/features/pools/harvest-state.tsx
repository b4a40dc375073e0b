import { clsx } from 'clsx';
import { Badge } from '../../ui/feedback/badge.tsx';
import { HarvestBadge } from './harvest-badge.tsx';
import { cycleWords, needsAction } from './harvest-words.ts';
import type { PooledAccount } from './pools-queries.ts';
import { TradedOnNotice } from './traded-on-notice.tsx';
import { isForPeople, turnOfPool, turnWords } from './turn-words.ts';

/** The status of a pool's cycle, and beneath it for whom it waits, or what happens. */
export function HarvestState({ pool }: { pool: PooledAccount }) {
  const cycle = pool.current_harvest_cycle;
  const turn = turnOfPool(pool);
  const isLoud = turn !== null && isForPeople(turn);
  return (
    <span className="flex min-w-0 flex-col items-start gap-0.5 md:py-1.5 max-md:items-end">
      <span className="flex flex-wrap items-center gap-1.5 max-md:justify-end">
        <HarvestBadge status={cycle.status} isForPeople={isLoud} />
        {needsAction(cycle.status) && <Badge tone="caution">Action required</Badge>}
      </span>
      {turn && turn.who !== 'system' && (
        <span
          className={clsx(
            'text-xs leading-5 text-pretty whitespace-normal tabular-nums max-md:text-right',
            isLoud ? 'font-medium text-caution' : 'text-ink',
          )}
        >
          {turnWords(turn)}
        </span>
      )}
      <span className="text-xs leading-5 text-pretty whitespace-normal text-muted max-md:text-right">
        {cycleWords(cycle)}
      </span>
      <TradedOnNotice cycle={cycle} />
    </span>
  );
}
