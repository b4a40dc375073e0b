import { clsx } from 'clsx';
import { SkeletonTable } from '../../../ui/plain-table/skeleton-table.tsx';
import { communityColumns } from './community-columns.tsx';

const ROWS = 8;
const ignore = () => {};
const HANDLERS = { isFrozen: () => false, onEdit: ignore, onDistribute: ignore, onRemove: ignore };
/** The first line of a cell, and the second where it has one. */
const LINES: Record<string, readonly string[]> = {
  community: ['w-32', 'w-40'],
  wallet: ['w-16', 'w-28'],
  balance: ['w-24', 'w-20'],
  split: ['w-10', 'w-24'],
  created: ['w-20'],
  actions: ['w-6'],
};

/** The communities before they are loaded. */
export function CommunitiesSkeleton() {
  const columns = communityColumns(HANDLERS, 0).map((column) => ({ ...column, headerCell: column.header }));
  return (
    <SkeletonTable
      columns={columns}
      rows={ROWS}
      cellOf={({ id, align }) => (
        <span className={clsx('flex flex-col py-1.5', align && 'items-end')}>
          {LINES[id]?.map((width) => (
            <span key={width} className="flex h-5.25 items-center">
              <span className={clsx('skeleton h-3', width)} />
            </span>
          ))}
        </span>
      )}
    />
  );
}
