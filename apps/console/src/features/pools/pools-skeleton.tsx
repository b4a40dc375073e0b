import { clsx } from 'clsx';
import { PlainTable } from '../../ui/plain-table/plain-table.tsx';
import { poolColumns } from './pool-columns.tsx';
import type { PooledAccount } from './pools-queries.ts';

const ROWS = 4;
/** The lines of a cell. */
const LINES: Record<string, readonly string[]> = {
  community: ['w-32', 'w-14'],
  status: ['w-20', 'w-64'],
  balances: ['w-56', 'w-64', 'w-44'],
  traders: ['w-6'],
};

/** The table without rows. Announces nothing: the screen has the text. */
export function PoolsSkeleton() {
  const columns = poolColumns.map((column) => ({
    ...column,
    cell: () => (
      <span className={clsx('flex flex-col py-1.5', column.align && 'items-end')}>
        {LINES[column.id]?.map((width) => (
          <span key={width} className="flex h-4.5 max-w-full items-center">
            <span className={clsx('skeleton h-3 max-w-full', width)} />
          </span>
        ))}
      </span>
    ),
  }));
  return (
    <div aria-hidden="true">
      <PlainTable
        label=""
        columns={columns}
        rows={Array.from({ length: ROWS }, () => ({}) as PooledAccount)}
        keyOf={(_, index) => String(index)}
      />
    </div>
  );
}
