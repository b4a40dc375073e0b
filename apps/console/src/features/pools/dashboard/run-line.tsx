import { Link } from '@tanstack/react-router';
import { readTime } from '../../../lib/read-time.ts';
import type { GlobalHarvest } from '../pools-queries.ts';
import { reasonWords } from '../reason-words.ts';

const GOALS = { start: 'Global start', stop: 'Global stop' } as const;

/** How far the latest run over all pools has come. A run that is done without failures needs no line. */
export function RunLine({ run }: { run: GlobalHarvest['last_run'] }) {
  if (!run || run.state === 'done') return null;
  const { moving, awaiting, done, failed } = run.counts;
  const parts = [
    moving > 0 && `${moving} on the way`,
    awaiting > 0 && `${awaiting} waiting for their owners`,
    done > 0 && `${done} done`,
    failed > 0 && `${failed} failed`,
  ].filter(Boolean);
  return (
    <div className="border-t border-line px-4 py-2 text-xs text-muted tabular-nums">
      <p>
        {GOALS[run.goal]} by {run.requested_by}, {readTime(run.at)}: {parts.join(', ')}
      </p>
      {run.failed.map(({ pool_id, community, reason }) => (
        <p key={pool_id}>
          <Link to="/pools/$poolId" params={{ poolId: pool_id }} className="rounded text-accent underline">
            {community}
          </Link>
          {reason ? `: ${reasonWords(reason)}` : ' went back to trading.'}
        </p>
      ))}
    </div>
  );
}
