import type { HistoryColumn } from '../detail-search.ts';
import type { HistoryFilters } from './filters-from-search.ts';

const LABELS: Record<HistoryColumn, string> = { closed_at: 'Date', symbol: 'Symbol', closed_pnl: 'PnL' };

interface HistorySortProps {
  sort: HistoryFilters['sort'];
  onChange(column: string, direction: 'asc' | 'desc'): void;
}

/** Sorting at phone width, where the table has no header. */
export function HistorySort({ sort, onChange }: HistorySortProps) {
  return (
    <select
      aria-label="Sort by"
      value={`${sort.column}:${sort.direction}`}
      onChange={({ target }) => {
        const [column = '', direction] = target.value.split(':');
        onChange(column, direction === 'asc' ? 'asc' : 'desc');
      }}
      className="h-7 rounded-md border border-line-strong bg-surface px-2 text-xs font-medium md:hidden"
    >
      {Object.entries(LABELS).flatMap(([column, label]) => [
        <option key={`${column}:desc`} value={`${column}:desc`}>
          {label} ↓
        </option>,
        <option key={`${column}:asc`} value={`${column}:asc`}>
          {label} ↑
        </option>,
      ])}
    </select>
  );
}
