import type { MESSAGE_STATES } from '@copydesk/domain/messages';
import type { RowSelecting } from '../../../lib/list/row-selection.ts';
import { Checkbox } from '../../../ui/form/checkbox.tsx';
import { SelectBox } from '../../../ui/list/select-column.tsx';
import type { PlainColumn } from '../../../ui/table/plain-table/plain-column.ts';

interface Row {
  id: string;
  state: (typeof MESSAGE_STATES)[number];
}

/** The boxes that select failed messages, with one for all of them that match. */
export function selectFailed<R extends Row>(
  selecting: RowSelecting,
  nameOf: (row: R) => string,
): PlainColumn<R, string> {
  const { selectAll, clear } = selecting;
  const { isAll, ids } = selecting.selection;
  return {
    id: 'select',
    header: 'Selection',
    headerCell: (
      <Checkbox
        label="Select all failed that match"
        checked={isAll && ids.size === 0}
        isPartial={isAll || ids.size > 0}
        onChange={(isOn) => (isOn ? selectAll() : clear())}
      />
    ),
    width: '4%',
    isFixed: true,
    onCard: 'lead',
    cell: (row) =>
      row.state === 'failed' ? (
        <span className="inline-flex align-middle">
          <SelectBox id={row.id} name={`message to ${nameOf(row)}`} selecting={selecting} tabIndex={0} />
        </span>
      ) : null,
  };
}
