import { useState } from 'react';
import { Button } from '../../../ui/form/button.tsx';
import type { ActKind } from '../acts/act.ts';
import type { ActHandlers } from '../acts/act-handlers.ts';
import { ACT_TITLES } from '../acts/act-texts.ts';
import { RecallDialog } from '../acts/recall-dialog.tsx';
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

const isOpenOf = ({ status, is_of_pool }: InvoiceDetail) => status === 'pending' && !is_of_pool;

/** Of an invoice that is open: why it cannot be taken back. The other reasons show in its state. */
const NOT_RECALLED: Partial<Record<NonNullable<InvoiceDetail['recall_refusal']>, string>> = {
  corrected: 'The exchange corrected one of its positions: it cannot be recalled',
  payment_on_its_way: 'A payment is on its way: it cannot be recalled',
};

/** The actions on the invoice, and the reason for each that is unavailable. */
export function PanelActs({ invoice, isSuper, onAct, onNotify }: PanelActsProps) {
  if (!isSuper)
    return <p className="px-4 pt-3 text-xs text-muted">Admin only: actions need a super admin.</p>;
  const act = (kind: ActKind) => () =>
    onAct({ kind, chosen: { groups: [], invoices: [invoice], allBut: null } });
  const { status, unpaid_refusal, recall_refusal, is_archived, is_of_pool } = invoice;
  const notRecalled = isOpenOf(invoice) && recall_refusal && NOT_RECALLED[recall_refusal];
  const isOpen = isOpenOf(invoice);
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
        {isOpen && recall_refusal === null && !invoice.is_awaiting_approval && <Recall id={invoice.id} />}
      </div>
      {notRecalled && <p className="mt-2 text-xs text-muted">{notRecalled}</p>}
      {is_of_pool && (
        <p className="mt-2 text-xs text-muted">
          The fee of a harvest cycle: the pool pays it out of the member's virtual balance.
        </p>
      )}
      {unpaid_refusal && !is_of_pool && <p className="mt-2 text-xs text-muted">{REFUSALS[unpaid_refusal]}</p>}
    </div>
  );
}

function Recall({ id }: { id: string }) {
  const [isAsked, setAsked] = useState(false);
  return (
    <>
      <Button onClick={() => setAsked(true)}>Recall</Button>
      {isAsked && (
        <RecallDialog
          of={{ invoice_ids: [id] }}
          title="Recall this invoice"
          onClose={() => setAsked(false)}
        />
      )}
    </>
  );
}
