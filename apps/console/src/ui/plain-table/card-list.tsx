import { clsx } from 'clsx';
import type { PlainColumn } from './plain-column.ts';

interface CardListProps<Row, Id extends string> {
  label: string;
  columns: readonly PlainColumn<Row, Id>[];
  rows: readonly Row[];
  keyOf(row: Row, index: number): string;
  isStale?: boolean | undefined;
}

/** The rows of a table at phone width: the leading fields in one line, every other field with its name. */
export function CardList<Row, Id extends string>({
  label,
  columns,
  rows,
  keyOf,
  isStale,
}: CardListProps<Row, Id>) {
  const at = (place: 'lead' | 'end' | undefined) => columns.filter((column) => column.onCard === place);
  return (
    <ul aria-label={label} className={clsx('transition-opacity', isStale && 'opacity-55')}>
      {rows.map((row, index) => (
        <li key={keyOf(row, index)} className="border-t border-line px-4 py-2.5 first:border-t-0">
          <div className="flex items-center justify-between gap-3 font-medium">
            <span className="flex min-w-0 items-center gap-2">
              {at('lead').map((column) => (
                <span key={column.id} className="truncate">
                  {column.cell(row)}
                </span>
              ))}
            </span>
            {at('end').map((column) => (
              <span key={column.id}>{column.cell(row)}</span>
            ))}
          </div>
          <dl className="mt-1.5 grid grid-cols-2 gap-x-6 gap-y-0.5 text-xs">
            {at(undefined).map((column) => (
              <div key={column.id} className="flex min-w-0 justify-between gap-2">
                <dt className="whitespace-nowrap text-muted">{column.header}</dt>
                <dd className="min-w-0 whitespace-nowrap tabular-nums">{column.cell(row)}</dd>
              </div>
            ))}
          </dl>
        </li>
      ))}
    </ul>
  );
}
