import { SORT_COLUMNS, type TradersSort } from './traders-search.ts';

const LABELS = { reference_number: 'Reference', telegram_username: 'Username', aum: 'Balance' } as const;

/** Sorting at phone width, where the table has no header. */
export function SortSelect({ sort, onChange }: { sort: TradersSort; onChange(sort: TradersSort): void }) {
  return (
    <select
      aria-label="Sort by"
      value={`${sort.column}:${sort.direction}`}
      onChange={(event) => {
        const [column, direction] = event.target.value.split(':');
        const known = SORT_COLUMNS.find((name) => name === column);
        if (known) onChange({ column: known, direction: direction === 'asc' ? 'asc' : 'desc' });
      }}
      className="h-8 rounded-md border border-line-strong bg-surface px-2 font-medium md:hidden"
    >
      {SORT_COLUMNS.flatMap((column) => [
        <option key={`${column}:desc`} value={`${column}:desc`}>
          {LABELS[column]} ↓
        </option>,
        <option key={`${column}:asc`} value={`${column}:asc`}>
          {LABELS[column]} ↑
        </option>,
      ])}
    </select>
  );
}
