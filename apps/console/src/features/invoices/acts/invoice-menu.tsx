import { shortId } from '@copydesk/domain/money';
import Archive from 'lucide-react/icons/archive';
import ArchiveRestore from 'lucide-react/icons/archive-restore';
import CircleCheck from 'lucide-react/icons/circle-check';
import RotateCcw from 'lucide-react/icons/rotate-ccw';
import Send from 'lucide-react/icons/send';
import { MenuItem, MenuLine } from '../../../ui/form/menu.tsx';
import { RowMenu } from '../../../ui/table/row-menu.tsx';
import type { Invoice } from '../invoices-queries.ts';
import type { ActKind } from './act.ts';
import type { ActHandlers } from './act-handlers.ts';

interface InvoiceMenuProps extends ActHandlers {
  invoice: Invoice;
  tabIndex?: number;
}

/** A notice tells a trader what to pay: nothing, once an invoice is settled or archived. */
const whyNotNotify = ({ status, is_archived }: Invoice) =>
  status === 'pending' ? is_archived && 'It is archived' : `It is ${status}`;

export function InvoiceMenu({ invoice, tabIndex, onAct, onNotify }: InvoiceMenuProps) {
  const act = (kind: ActKind) => () =>
    onAct({ kind, chosen: { groups: [], invoices: [invoice], allBut: null } });
  return (
    <RowMenu of={`invoice ${shortId(invoice.id)}`} tabIndex={tabIndex}>
      {invoice.is_paid ? (
        <MenuItem icon={RotateCcw} text="Mark as unpaid" onSelect={act('unpay')} />
      ) : (
        <MenuItem
          icon={CircleCheck}
          text="Mark as paid"
          disabled={invoice.status === 'cancelled' && 'It was cancelled'}
          onSelect={act('pay')}
        />
      )}
      <MenuItem
        icon={Send}
        text="Notify of unpaid invoices"
        disabled={whyNotNotify(invoice)}
        onSelect={() => onNotify(invoice.trader)}
      />
      <MenuLine />
      {invoice.is_archived ? (
        <MenuItem icon={ArchiveRestore} text="Restore" onSelect={act('unarchive')} />
      ) : (
        <MenuItem icon={Archive} text="Archive" onSelect={act('archive')} />
      )}
    </RowMenu>
  );
}
