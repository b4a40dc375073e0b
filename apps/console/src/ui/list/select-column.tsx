import { isRowSelected, type RowSelecting } from '../../lib/list/row-selection.ts';
import { Checkbox } from '../form/checkbox.tsx';
import type { Column } from '../table/data-table/column.ts';

interface SelectBoxProps {
  /** The row's id, and what a person calls it. */
  id: string;
  name: string;
  selecting: RowSelecting;
  tabIndex: number;
}

export function SelectBox({ id, name, selecting, tabIndex }: SelectBoxProps) {
  return (
    <Checkbox
      label={`Select ${name}`}
      checked={isRowSelected(selecting.selection, id)}
      tabIndex={tabIndex}
      onChange={() => selecting.toggle(id)}
    />
  );
}

/**
 * The boxes that select rows, with one for all that match.
 * @param nameOf what a row is called; null: it cannot be selected
 * @param all what the box in the header is called; null: there is none
 */
export function selectColumn<Row extends { id: string }>(
  selecting: RowSelecting,
  nameOf: (row: Row) => string | null,
  all: string | null = 'Select all',
): Column<Row, 'select'> {
  const { selectAll, clear } = selecting;
  const { isAll, ids } = selecting.selection;
  return {
    id: 'select',
    isFixed: true,
    header: 'Selection',
    headerCell: all ? (
      <Checkbox
        label={all}
        checked={isAll && ids.size === 0}
        isPartial={isAll || ids.size > 0}
        onChange={(isOn) => (isOn ? selectAll() : clear())}
      />
    ) : (
      <span className="sr-only">Selected</span>
    ),
    track: '1.25rem',
    cell: (row, isActive) => {
      const name = nameOf(row);
      return name === null ? null : (
        <SelectBox id={row.id} name={name} selecting={selecting} tabIndex={isActive ? 0 : -1} />
      );
    },
  };
}
