import { clsx } from 'clsx';
import { SkeletonTable } from '../../ui/plain-table/skeleton-table.tsx';
import { poolColumns } from './pool-columns.tsx';

const ROWS = 4;
/** The lines of a cell. */
const LINES: Record<string, readonly string[]> = {
  community: ['w-32', 'w-14'],
  status: ['w-20', 'w-64'],
  balances: ['w-56', 'w-64', 'w-44'],
  traders: ['w-6'],
};

/** The pools before they are loaded. */
export function PoolsSkeleton() {
  return (
    <SkeletonTable
      columns={poolColumns}
      rows={ROWS}
      cellOf={({ id, align }) => (
        <span className={clsx('flex flex-col py-1.5', align && 'items-end')}>
          {LINES[id]?.map((width) => (
            <span key={width} className="flex h-4.5 max-w-full items-center">
              <span className={clsx('skeleton h-3 max-w-full', width)} />
            </span>
          ))}
        </span>
      )}
    />
  );
}
