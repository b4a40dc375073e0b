import { clsx } from 'clsx';
import { StaleRows } from '../../form/checkbox.tsx';
import { isRowPress } from '../row-press.ts';
import type { PlainColumn } from './plain-column.ts';

interface CardListProps<Row, Id extends string> {
  label: string;
  columns: readonly PlainColumn<Row, Id>[];
  rows: readonly Row[];
  keyOf(row: Row, index: number): string;
  onOpen?: ((row: Row) => void) | undefined;
  dimmedOf?: ((row: Row) => boolean) | undefined;
  isStale?: boolean | undefined;
}

/** The rows of a table at phone width: the leading fields in one line, every other field with its name. */
export function CardList<Row, Id extends string>({
  label,
  columns,
  rows,
  keyOf,
  onOpen,
  dimmedOf,
  isStale,
}: CardListProps<Row, Id>) {
  const at = (place: 'lead' | 'end') => columns.filter((column) => column.onCard === place);
  const fields = columns.filter(({ onCard }) => onCard !== 'lead' && onCard !== 'end');
  // A cell without content, as of an act that is not possible, has no name on a card either.
  const fieldsOf = (row: Row) =>
    fields.map((column) => ({ column, cell: column.cell(row) })).filter(({ cell }) => cell !== null);
  return (
    <StaleRows value={isStale === true}>
      <ul aria-label={label} className={clsx('transition-opacity', isStale && 'opacity-55')}>
        {rows.map((row, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: a link in the card opens it by keyboard
          <li
            key={keyOf(row, index)}
            onClick={onOpen && ((event) => isRowPress(event) && onOpen(row))}
            className={clsx(
              'border-t border-line px-4 py-2.5 first:border-t-0',
              onOpen && 'cursor-pointer',
              dimmedOf?.(row) && 'bg-canvas text-muted',
            )}
          >
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
            <dl className="mt-1.5 grid grid-cols-2 items-baseline gap-x-6 gap-y-0.5 text-xs">
              {fieldsOf(row).map(({ column, cell }, at, shown) => (
                <div
                  key={column.id}
                  className={clsx(
                    'flex min-w-0 items-baseline justify-between gap-2',
                    column.onCard === 'line' && 'py-0.5',
                    fillsLine(shown, at) && 'col-span-2',
                  )}
                >
                  <dt className="whitespace-nowrap text-muted">{column.header}</dt>
                  <dd className="min-w-0 whitespace-nowrap tabular-nums">{cell}</dd>
                </div>
              ))}
            </dl>
          </li>
        ))}
      </ul>
    </StaleRows>
  );
}

/**
 * Whether a field of a card has a line of its own: it asks for one, or the next field does and none is beside it. Half a
 * line would leave its value in the middle of the card.
 */
export function fillsLine(fields: readonly { column: { onCard?: string } }[], index: number): boolean {
  const isLine = (at: number) => fields[at]?.column.onCard === 'line';
  if (isLine(index)) return true;
  let before = 0;
  while (before < index && !isLine(index - 1 - before)) before++;
  const isSecond = before % 2 === 1;
  return !isSecond && (index === fields.length - 1 || isLine(index + 1));
}
