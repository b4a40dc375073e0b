import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../../lib/api/api.ts';
import { messageOf } from '../../../lib/api/api-error.ts';
import { readAgain } from '../../../lib/api/read-again.ts';
import { formatUsdt } from '../../../lib/format/usdt.ts';
import { toast } from '../../../ui/feedback/toast-store.ts';
import { Money } from '../../../ui/figures/money.tsx';
import { When } from '../../../ui/figures/when.tsx';
import { Button } from '../../../ui/form/button.tsx';
import { Dialog, DialogBody } from '../../../ui/form/dialog.tsx';
import { FormError } from '../../../ui/form/form-error.tsx';
import type { PlainColumn } from '../../../ui/table/plain-table/plain-column.ts';
import { invoicesKeys } from '../invoices-keys.ts';
import { traderColumn } from '../payments/unmatched-columns.tsx';
import { DeductDialog, EndDeductionDialog } from './decide-difference.tsx';
import { deductionColumns } from './deduction-columns.tsx';
import { differenceText } from './difference-texts.ts';
import { type Deduction, type Difference, deductionsQuery, differencesQuery } from './differences-query.ts';
import { PagedList } from './paged-list.tsx';

/** Where invoices and exchanges differ, and what next invoices are less by for it. */
export function DifferencesDialog({ onClose }: { onClose(): void }) {
  const client = useQueryClient();
  const [deducting, setDeducting] = useState<Difference | null>(null);
  const [ending, setEnding] = useState<Deduction | null>(null);
  const dismiss = useMutation({
    mutationFn: ({ kind, id, seen }: Difference) =>
      call('POST /api/invoices/differences/dismiss', { body: { kind, id, seen } }),
    onSuccess: () => toast({ tone: 'positive', title: 'Left as it is' }),
    onSettled: readAgain(client, invoicesKeys.differences),
  });
  return (
    <Dialog
      wide
      title="Differences between invoices and exchanges"
      text="Invoices stay as they are, and no money moves. A deduction lowers the trader's next invoices of the same community and provider. A difference that is left as it is comes back once it changes."
      onClose={onClose}
    >
      <DialogBody>
        <FormError message={dismiss.error ? messageOf(dismiss.error) : null} />
        <div className="min-h-0 space-y-5 overflow-y-auto overscroll-contain">
          <PagedList
            what="differences"
            query={differencesQuery}
            columns={differenceColumns({
              onDismiss: (row) => !dismiss.isPending && dismiss.mutate(row),
              onDeduct: setDeducting,
            })}
            keyOf={({ kind, id }) => `${kind} ${id}`}
            empty={{ title: 'No differences', text: 'Invoices and exchanges agree, as far as is known' }}
          />
          <section aria-labelledby="open-deductions">
            <h3 id="open-deductions" className="mb-2 px-4 font-medium">
              Open deductions
            </h3>
            <PagedList
              what="deductions"
              query={deductionsQuery}
              columns={deductionColumns(setEnding)}
              keyOf={({ id }) => id}
              empty={{ title: 'No open deductions', text: 'No next invoice is reduced' }}
            />
          </section>
        </div>
      </DialogBody>
      {deducting && <DeductDialog row={deducting} onClose={() => setDeducting(null)} />}
      {ending && <EndDeductionDialog row={ending} onClose={() => setEnding(null)} />}
    </Dialog>
  );
}

interface Acts {
  onDismiss(row: Difference): void;
  onDeduct(row: Difference): void;
}

const differenceColumns = ({ onDismiss, onDeduct }: Acts): readonly PlainColumn<Difference>[] => [
  {
    id: 'found',
    header: 'Found',
    width: '19%',
    cell: ({ found_at }) => <When at={found_at} />,
  },
  traderColumn('20%'),
  {
    id: 'what',
    header: 'Difference',
    width: '28%',
    onCard: 'line',
    cell: (row) => (
      <span className="block py-1.5 whitespace-normal text-wrap">
        {differenceText(row)} {row.deducted && `${formatUsdt(row.deducted)} USDT were deducted before. `}
        {[row.invoice_id, row.other_invoice_id].map(
          (id, index) =>
            id && (
              <Link
                key={id}
                to="/invoices/$invoiceId"
                params={{ invoiceId: id }}
                className="me-2 rounded whitespace-nowrap text-accent underline"
              >
                {index === 0 ? 'Invoice' : 'Other invoice'}
              </Link>
            ),
        )}
      </span>
    ),
  },
  {
    id: 'amount',
    header: 'Excess (USDT)',
    width: '14%',
    align: 'end',
    cell: ({ amount }) => (amount === null ? 'Not known' : <Money amount={amount} as="bare" />),
  },
  {
    id: 'act',
    header: 'Act',
    width: '19%',
    align: 'end',
    onCard: 'line',
    cell: (row) => (
      <span className="flex flex-wrap justify-end gap-1.5 py-1.5">
        {Number(row.amount) > 0 && (
          <Button className="h-7! px-2.5! text-xs!" onClick={() => onDeduct(row)}>
            Deduct
          </Button>
        )}
        <Button className="h-7! px-2.5! text-xs!" onClick={() => onDismiss(row)}>
          Leave as it is
        </Button>
      </span>
    ),
  },
];
