import { shortId } from '@copydesk/domain/money';
import { Checkbox } from '../../../ui/form/checkbox.tsx';
import type { ListHandlers } from './list-handlers.ts';
import { nameOfGroup } from './row-names.tsx';
import { extentOf, isTicked } from './selection.ts';
import type { TreeRow } from './tree-rows.ts';
import { isOfStrangers } from './unknown-group.ts';

interface TickProps {
  row: TreeRow;
  handlers: ListHandlers;
  isActive: boolean;
}

/** The box that selects a row. */
export function Tick({ row, handlers, isActive }: TickProps) {
  const tabIndex = isActive ? 0 : -1;
  if (row.kind === 'group') {
    if (isOfStrangers(row.group)) return <span className="size-4 shrink-0" />;
    const extent = extentOf(handlers.selection, row.group);
    return (
      <Checkbox
        label={`Select group ${nameOfGroup(row.group)}`}
        checked={extent === 'all'}
        isPartial={extent === 'some'}
        tabIndex={tabIndex}
        onChange={() => handlers.onTickGroup(row.group)}
      />
    );
  }
  if (row.kind !== 'invoice') return null;
  const { group, invoice } = row;
  return (
    <Checkbox
      label={`Select invoice ${shortId(invoice.id)}`}
      checked={isTicked(handlers.selection, group, invoice)}
      tabIndex={tabIndex}
      onChange={() => handlers.onTickInvoice(group, invoice)}
    />
  );
}
