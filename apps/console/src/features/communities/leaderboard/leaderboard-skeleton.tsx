import { clsx } from 'clsx';
import { PlainTable } from '../../../ui/plain-table/plain-table.tsx';
import { leaderboardColumns } from './leaderboard-columns.tsx';
import type { LeaderboardRow } from './rank-communities.ts';

const ROWS = 10;
const WIDTHS: Record<string, string> = { name: 'w-32', aum: 'w-20', created: 'w-20' };

/** The table without rows. Announces nothing: the screen has the text. */
export function LeaderboardSkeleton() {
  const columns = leaderboardColumns({ isSuper: false, onSettings: () => {} }).map((column) => ({
    ...column,
    cell: () => (
      <span
        className={clsx(
          'flex items-center',
          column.align && 'justify-end',
          column.id === 'actions' ? 'h-7' : 'h-4',
        )}
      >
        <span className={clsx('skeleton h-3', WIDTHS[column.id] ?? 'w-6')} />
      </span>
    ),
  }));
  return (
    <div aria-hidden="true">
      <PlainTable
        label=""
        columns={columns}
        rows={Array.from({ length: ROWS }, () => ({}) as LeaderboardRow)}
        keyOf={(_, index) => String(index)}
      />
    </div>
  );
}
