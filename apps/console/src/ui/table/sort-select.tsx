import type { Direction } from '../../lib/url/sorting.ts';

interface SortSelectProps<C extends string> {
  columns: readonly { id: C; label: string }[];
  sort: { column: C; direction: Direction };
  className?: string;
  onChange(sort: { column: C; direction: Direction }): void;
}

/** Sorting at phone width, where a table has no header. */
export function SortSelect<C extends string>({ columns, sort, className, onChange }: SortSelectProps<C>) {
  return (
    <select
      aria-label="Sort by"
      value={`${sort.column}:${sort.direction}`}
      onChange={(event) => {
        const [id, direction] = event.target.value.split(':');
        const column = columns.find((known) => known.id === id);
        if (column) onChange({ column: column.id, direction: direction === 'asc' ? 'asc' : 'desc' });
      }}
      className={`rounded-md border border-line-strong bg-surface px-2 font-medium md:hidden ${className ?? 'h-8'}`}
    >
      {columns.flatMap(({ id, label }) => [
        <option key={`${id}:desc`} value={`${id}:desc`}>
          {label} ↓
        </option>,
        <option key={`${id}:asc`} value={`${id}:asc`}>
          {label} ↑
        </option>,
      ])}
    </select>
  );
}
