import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import CircleCheck from 'lucide-react/icons/circle-check';
import { useState } from 'react';
import { call } from '../../../lib/api.ts';
import { messageOf } from '../../../lib/api-error.ts';
import { formatUsdt } from '../../../lib/payout-words.ts';
import { fullTime, readTime } from '../../../lib/read-time.ts';
import { Loading } from '../../../ui/feedback/loading.tsx';
import { MessagePanel } from '../../../ui/feedback/message-panel.tsx';
import { QueryState } from '../../../ui/feedback/query-state.tsx';
import { toast } from '../../../ui/feedback/toast-store.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { Dialog, DialogBody } from '../../../ui/forms/dialog.tsx';
import { FormError } from '../../../ui/forms/form-error.tsx';
import type { PlainColumn } from '../../../ui/plain-table/plain-column.ts';
import { PlainTable } from '../../../ui/plain-table/plain-table.tsx';
import { Pager } from '../../../ui/table/pager.tsx';
import { invoicesKeys } from '../invoices-queries.ts';
import { traderColumn } from '../payments/unmatched-columns.tsx';
import { deductionText, differenceText } from './difference-words.ts';
import { type Difference, differencesQuery } from './differences-query.ts';

const PAGE_ROWS = 10;

/** Where invoices and exchanges differ. What is left as it is leaves the list; nothing moves. */
export function DifferencesDialog({ onClose }: { onClose(): void }) {
  const [asked, setPage] = useState(1);
  const client = useQueryClient();
  const { data, error, refetch, isPlaceholderData } = useQuery(differencesQuery(asked, PAGE_ROWS));
  const total = data?.meta.total ?? 0;
  const page = Math.min(asked, Math.max(1, Math.ceil(total / PAGE_ROWS)));
  if (data && !isPlaceholderData && page !== asked) setPage(page);
  const dismiss = useMutation({
    mutationFn: ({ kind, id, seen }: Difference) =>
      call('POST /api/invoices/differences/dismiss', { body: { kind, id, seen } }),
    onSuccess: () => toast({ tone: 'positive', title: 'Left as it is' }),
    onSettled: () => client.invalidateQueries({ queryKey: invoicesKeys.differences }),
  });
  const deduct = useMutation({
    mutationFn: ({ kind, id, seen }: Difference) =>
      call('POST /api/invoices/differences/deduct', { body: { kind: kind as DeductedKind, id, seen } }),
    onSuccess: ({ data: { amount } }) =>
      toast({ tone: 'positive', title: `${formatUsdt(amount)} USDT deducted from the next invoice` }),
    onSettled: () => client.invalidateQueries({ queryKey: invoicesKeys.differences }),
  });
  const isBusy = dismiss.isPending || deduct.isPending;
  const failed = dismiss.error ?? deduct.error;
  const rows = data?.data ?? [];
  return (
    <Dialog
      wide
      title="Differences between invoices and exchanges"
      text="Invoices stay as they are, and no money moves. A deduction lowers the trader's next invoices of the same community and provider. A difference that is left as it is comes back once it changes."
      onClose={onClose}
    >
      <DialogBody>
        <FormError message={failed ? messageOf(failed) : null} />
        <QueryState
          small
          error={
            error && !data
              ? { title: 'The differences could not be loaded', message: messageOf(error) }
              : null
          }
          onRetry={() => void refetch()}
          isLoading={!data}
          loading={<Loading text="Loading differences..." />}
          isEmpty={total === 0}
          empty={
            <MessagePanel
              icon={CircleCheck}
              level={3}
              small
              title="No differences"
              text="Invoices and exchanges agree, as far as is known"
            />
          }
        >
          <div className="min-h-0 overflow-y-auto overscroll-contain">
            <PlainTable
              label="Differences between invoices and exchanges, latest first"
              columns={columns({
                onDismiss: (row) => !isBusy && dismiss.mutate(row),
                onDeduct: (row) => !isBusy && deduct.mutate(row),
              })}
              rows={rows}
              keyOf={({ kind, id }) => `${kind} ${id}`}
              isStale={isPlaceholderData || isBusy}
            />
          </div>
          {total > PAGE_ROWS && <Pager page={page} pageRows={PAGE_ROWS} total={total} onChange={setPage} />}
        </QueryState>
      </DialogBody>
    </Dialog>
  );
}

type DeductedKind = Exclude<Difference['kind'], 'unread_closes'>;

interface Acts {
  onDismiss(row: Difference): void;
  onDeduct(row: Difference): void;
}

const columns = ({ onDismiss, onDeduct }: Acts): readonly PlainColumn<Difference>[] => [
  {
    id: 'found',
    header: 'Found',
    width: '20%',
    cell: ({ found_at }) => (
      <time dateTime={found_at} title={fullTime(found_at)} className="tabular-nums">
        {readTime(found_at)}
      </time>
    ),
  },
  traderColumn('20%'),
  {
    id: 'what',
    header: 'Difference',
    width: '29%',
    onCard: 'line',
    cell: (row) => (
      <span className="block py-1.5 whitespace-normal text-wrap">
        {differenceText(row)} {row.deduction && `${deductionText(row.deduction)} `}
        {[row.invoice_id, row.other_invoice_id].map(
          (id, index) =>
            id && (
              <Link
                key={id}
                to="/invoices"
                search={{ invoice: id }}
                className="mr-2 rounded whitespace-nowrap text-accent hover:underline"
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
    header: 'Too much',
    width: '13%',
    align: 'end',
    cell: ({ amount }) => (
      <span className="tabular-nums">{amount === null ? 'Not known' : `${formatUsdt(amount)} USDT`}</span>
    ),
  },
  {
    id: 'act',
    header: 'Act',
    width: '18%',
    align: 'end',
    onCard: 'end',
    cell: (row) => (
      <span className="flex flex-wrap justify-end gap-1.5 py-1.5">
        {Number(row.amount) > 0 && (
          <Button className="h-7! px-2.5! text-xs!" onClick={() => onDeduct(row)}>
            Deduct
          </Button>
        )}
        {row.is_open && (
          <Button className="h-7! px-2.5! text-xs!" onClick={() => onDismiss(row)}>
            Leave as it is
          </Button>
        )}
      </span>
    ),
  },
];
