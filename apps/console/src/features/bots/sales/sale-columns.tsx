import { Link } from '@tanstack/react-router';
import Ban from 'lucide-react/icons/ban';
import CircleCheck from 'lucide-react/icons/circle-check';
import TicketPercent from 'lucide-react/icons/ticket-percent';
import Undo2 from 'lucide-react/icons/undo-2';
import { splitWords } from '../../../lib/format/figures.ts';
import { usdt } from '../../../lib/format/usdt.ts';
import { AwaitingApproval } from '../../../ui/feedback/awaiting-approval.tsx';
import { State } from '../../../ui/feedback/state.tsx';
import { Money } from '../../../ui/figures/money.tsx';
import { When } from '../../../ui/figures/when.tsx';
import { MenuItem } from '../../../ui/form/menu.tsx';
import type { PlainColumn } from '../../../ui/table/plain-table/plain-column.ts';
import { RowMenu } from '../../../ui/table/row-menu.tsx';
import type { Sale } from '../bot-queries.ts';
import { buyerName, saleState } from './sale-texts.ts';

export type SaleAct = 'cancelled' | 'paid' | 'pending' | 'coupon';

/** What can be done with an order. */
export function SaleActs({ sale, onAct }: { sale: Sale; onAct(act: SaleAct): void }) {
  const isUntouched = sale.status === 'pending' && Number(sale.paid_amount) === 0;
  // An act that waits refuses all others.
  if (sale.status === 'cancelled' || sale.is_awaiting_approval) return null;
  return (
    <RowMenu of={`the order of ${buyerName(sale)}`}>
      {sale.status === 'pending' && (
        <MenuItem icon={CircleCheck} text="Mark as paid" onSelect={() => onAct('paid')} />
      )}
      {isUntouched && sale.coupon_code === null && (
        <MenuItem icon={TicketPercent} text="Apply coupon" onSelect={() => onAct('coupon')} />
      )}
      {sale.status === 'pending' && (
        <MenuItem
          icon={Ban}
          text={isUntouched ? 'Cancel order' : 'End order, keep credit'}
          onSelect={() => onAct('cancelled')}
        />
      )}
      {sale.status === 'paid' && (
        <MenuItem icon={Undo2} text="Mark as unpaid" onSelect={() => onAct('pending')} />
      )}
    </RowMenu>
  );
}

export const saleColumns = (onAct: (act: SaleAct, sale: Sale) => void): readonly PlainColumn<Sale>[] => [
  {
    id: 'buyer',
    header: 'Buyer',
    width: '17%',
    isPinned: true,
    onCard: 'lead',
    cell: (sale) => (
      <Link
        to="/trader/$traderId"
        params={{ traderId: sale.trader_id }}
        className="block truncate font-medium hover:underline"
      >
        {buyerName(sale)}
      </Link>
    ),
  },
  {
    id: 'plan',
    header: 'Plan',
    width: '14%',
    cell: (sale) => (
      <Link
        to="/bots/orders/$orderId"
        params={{ orderId: sale.id }}
        aria-label={`Order of ${buyerName(sale)}: ${sale.plan_name}`}
        className="block truncate hover:underline"
      >
        {sale.plan_name}
      </Link>
    ),
  },
  {
    id: 'amount',
    header: 'Amount (USDT)',
    width: '13%',
    align: 'end',
    cell: (sale) => (
      <Link
        to="/invoices/$invoiceId"
        params={{ invoiceId: sale.id }}
        aria-label={`Invoice of ${buyerName(sale)}: ${usdt(sale.amount)}`}
        className="rounded underline decoration-line-strong underline-offset-2 hover:text-accent"
      >
        <Money
          amount={sale.amount}
          as="bare"
          title={[
            sale.coupon_code && `With the coupon ${sale.coupon_code}.`,
            `${splitWords(sale.community_percentage)}.`,
          ]
            .filter(Boolean)
            .join(' ')}
        />
      </Link>
    ),
  },
  {
    id: 'state',
    header: 'State',
    width: '20%',
    onCard: 'line',
    cell: (sale) => {
      if (sale.is_awaiting_approval) return <AwaitingApproval />;
      const { text, tone } = saleState(sale);
      return <State tone={tone}>{text}</State>;
    },
  },
  {
    id: 'ordered',
    header: 'Ordered',
    width: '16%',
    cell: ({ created_at }) => <When at={created_at} className="block truncate" />,
  },
  {
    id: 'until',
    header: 'Access until',
    width: '12%',
    cell: ({ access_until: at }) =>
      at === null ? (
        <span className="text-muted">–</span>
      ) : (
        <When at={at} as="day" className="block truncate" />
      ),
  },
  {
    id: 'actions',
    isFixed: true,
    header: 'Actions',
    width: '8%',
    align: 'end',
    onCard: 'end',
    cell: (sale) => <SaleActs sale={sale} onAct={(act) => onAct(act, sale)} />,
  },
];
