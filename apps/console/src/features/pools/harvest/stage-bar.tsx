import { type HarvestStage, type StageProgress, stagesOf } from '@copydesk/domain/pools';
import { clsx } from 'clsx';
import { useEffect, useState } from 'react';
import { Steps } from '../../../ui/figures/steps.tsx';
import type { HarvestHistory, PooledAccount } from '../pools-queries.ts';
import { isForPeople, turnOfPool, turnWords } from '../turn-texts.ts';
import { leftWords, spentWords } from './progress-texts.ts';

const NAMES: Record<HarvestStage, string> = {
  pause: 'Pause',
  check: 'Check',
  withdraw: 'Withdraw',
  value: 'Value',
  open: 'Open',
  fund: 'Fund',
  resume: 'Resume',
};

interface StageBarProps {
  pool: PooledAccount;
  /** Undefined before it is read. */
  history: HarvestHistory | undefined;
  /** The server's time, in ms; null before it is known. */
  now: number | null;
}

/** How far the harvest of a pool has come, for whom it waits, and how much time is left. */
export function StageBar({ pool, history, now }: StageBarProps) {
  // The record's own cycle, as in the page's heading: another answer could be of another moment.
  const cycle = pool.current_harvest_cycle;
  const stages = stagesOf(cycle, history?.entered ?? []);
  const turn = turnOfPool(pool);
  const deadline = cycle.status === 'failed' ? null : cycle.deadline_at;
  return (
    <div className="pb-3">
      <Steps
        label="Steps of the harvest"
        steps={stages.map((progress) => ({
          id: progress.stage,
          label: NAMES[progress.stage],
          state: progress.state,
          note: noteOf(progress, now),
        }))}
      />
      {(turn || deadline) && (
        <p className="mt-2 flex flex-wrap justify-between gap-x-4">
          {turn && (
            <span
              className={clsx(
                turn.isAlarm ? 'font-medium text-negative' : isForPeople(turn) && 'font-medium text-caution',
              )}
            >
              {/* Its end is the countdown. */}
              {turnWords({ ...turn, until: null })}
            </span>
          )}
          {deadline && now !== null && (
            <span className={clsx('tabular-nums', Date.parse(deadline) < now && 'text-caution')}>
              {leftWords(Date.parse(deadline) - now)}
            </span>
          )}
        </p>
      )}
    </div>
  );
}

function noteOf({ state, since, lastedMs }: StageProgress, now: number | null): string | undefined {
  if (state === 'skipped') return 'Skipped';
  if (lastedMs !== null) return spentWords(lastedMs);
  return since !== null && now !== null ? spentWords(now - Date.parse(since)) : undefined;
}

const MINUTE_MS = 60_000;

/** The server's time in ms, moved on once a minute by what has passed here; null before its answer. */
export function useServerTime(answer: HarvestHistory | undefined): number | null {
  const asOf = answer?.as_of;
  const receivedMs = answer?.receivedMs ?? 0;
  const [lookedMs, setLookedMs] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setLookedMs(performance.now()), MINUTE_MS);
    return () => clearInterval(timer);
  }, []);
  return asOf === undefined ? null : Date.parse(asOf) + Math.max(0, lookedMs - receivedMs);
}
