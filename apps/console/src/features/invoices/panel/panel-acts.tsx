import { Button } from '../../../ui/form/button.tsx';
import type { ActKind } from '../acts/act.ts';
import type { ActHandlers } from '../acts/act-handlers.ts';
import { ACT_TITLES } from '../acts/act-texts.ts';
import type { InvoiceDetail } from './invoice-query.ts';

interface PanelActsProps extends ActHandlers {
  invoice: InvoiceDetail;
  isSuper: boolean;
}

const REFUSALS = {
  invoice_paid_on_chain: 'Paid on chain: it cannot be marked as unpaid',
  payout_made: 'A share was paid out: it cannot be marked as unpaid',
  other_order_open: 'Its buyer has another open order: it cannot be marked as unpaid',
} as const;

/** The actions on the invoice, and the reason for each that is unavailable. */
export function PanelActs({ invoice, isSuper, onAct, onNotify }: PanelActsProps) {
  if (!isSuper)
    return <p className="px-4 pt-3 text-xs text-muted">Admin only: actions need a super admin.</p>;
  const act = (kind: ActKind) => () =>
    onAct({ kind, chosen: { groups: [], invoices: [invoice], allBut: null } });
  const { status, unpaid_refusal, is_archived, is_of_pool } = invoice;
  const isOpen = status === 'pending' && !is_of_pool;
  return (
    <div className="border-b border-line px-4 py-2.5">
      <div className="flex flex-wrap gap-1.5">
        {isOpen && (
          <Button look="primary" onClick={act('pay')}>
            {ACT_TITLES.pay}
          </Button>
        )}
        {status === 'paid' && !is_of_pool && !unpaid_refusal && (
          <Button onClick={act('unpay')}>{ACT_TITLES.unpay}</Button>
        )}
        {isOpen && <Button onClick={() => onNotify(invoice.trader)}>Notify</Button>}
        {(is_archived || status !== 'pending' || !is_of_pool) && (
          <Button onClick={act(is_archived ? 'unarchive' : 'archive')}>
            {is_archived ? ACT_TITLES.unarchive : ACT_TITLES.archive}
          </Button>
        )}
      </div>
      {is_of_pool && (
        <p className="mt-2 text-xs text-muted">
          The fee of a harvest cycle: the pool pays it out of the member's virtual balance.
        </p>
      )}
      {unpaid_refusal && !is_of_pool && <p className="mt-2 text-xs text-muted">{REFUSALS[unpaid_refusal]}</p>}
    </div>
  );
}
