import Archive from 'lucide-react/icons/archive';
import ArchiveRestore from 'lucide-react/icons/archive-restore';
import CircleCheck from 'lucide-react/icons/circle-check';
import RotateCcw from 'lucide-react/icons/rotate-ccw';
import Send from 'lucide-react/icons/send';
import { MenuItem, MenuLine, MenuNote } from '../../../ui/form/menu.tsx';
import { RowMenu } from '../../../ui/table/row-menu.tsx';
import type { InvoiceGroup } from '../invoices-queries.ts';
import { nameOfGroup } from '../list/row-names.tsx';
import { isOfStrangers } from '../list/unknown-group.ts';
import type { ActKind } from './act.ts';
import type { ActHandlers } from './act-handlers.ts';

interface GroupMenuProps extends ActHandlers {
  group: InvoiceGroup;
  isSuper: boolean;
  tabIndex: number;
}

export function GroupMenu({ group, isSuper, tabIndex, onAct, onNotify }: GroupMenuProps) {
  const act = (kind: ActKind) => () =>
    onAct({ kind, chosen: { groups: [group], invoices: [], allBut: null } });
  return (
    <RowMenu of={nameOfGroup(group)} tabIndex={tabIndex}>
      {isSuper && isOfStrangers(group) ? (
        <MenuNote>Unfold it and choose one trader: these traders have nothing in common</MenuNote>
      ) : isSuper ? (
        <>
          <MenuItem
            icon={CircleCheck}
            text="Mark all as paid"
            disabled={group.is_paid && 'All are paid'}
            onSelect={act('pay')}
          />
          <MenuItem icon={RotateCcw} text="Mark all as unpaid" onSelect={act('unpay')} />
          <MenuItem
            icon={Send}
            text="Notify of unpaid invoices"
            disabled={(group.is_paid && 'All are paid') || (group.is_archived && 'They are archived')}
            onSelect={() => onNotify(group.trader)}
          />
          <MenuLine />
          {group.is_archived ? (
            <MenuItem icon={ArchiveRestore} text="Restore" onSelect={act('unarchive')} />
          ) : (
            <MenuItem icon={Archive} text="Archive all" onSelect={act('archive')} />
          )}
        </>
      ) : (
        <MenuNote>Super admin access required</MenuNote>
      )}
    </RowMenu>
  );
}
