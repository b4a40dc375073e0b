import { clsx } from 'clsx';
import { SkeletonTable } from '../../../ui/table/plain-table/skeleton-table.tsx';
import { leaderboardColumns } from './leaderboard-columns.tsx';

const ROWS = 10;
const WIDTHS: Record<string, string> = { name: 'w-32', aum: 'w-20', created: 'w-20' };

/** The leaderboard before it is loaded. */
export function LeaderboardSkeleton() {
  return (
    <SkeletonTable
      columns={leaderboardColumns({ isSuper: false, onSettings: () => {} })}
      rows={ROWS}
      cellOf={({ id, align }) => (
        <span className={clsx('flex items-center', align && 'justify-end', id === 'actions' ? 'h-7' : 'h-4')}>
          <span className={clsx('skeleton h-3', WIDTHS[id] ?? 'w-6')} />
        </span>
      )}
    />
  );
}
