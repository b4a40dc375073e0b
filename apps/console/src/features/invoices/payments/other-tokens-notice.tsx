import type { CallAnswer } from '@copydesk/contract';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import CircleCheck from 'lucide-react/icons/circle-check';
import Coins from 'lucide-react/icons/coins';
import { useState } from 'react';
import { call } from '../../../lib/api/api.ts';
import { messageOf } from '../../../lib/api/api-error.ts';
import { formatCount } from '../../../lib/format/numbers.ts';
import { useLastPage } from '../../../lib/list/use-last-page.ts';
import { Loading } from '../../../ui/feedback/loading.tsx';
import { MessagePanel } from '../../../ui/feedback/message-panel.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { QueryState } from '../../../ui/feedback/query-state.tsx';
import { Address } from '../../../ui/figures/address.tsx';
import { TxLink } from '../../../ui/figures/tx-link.tsx';
import { When } from '../../../ui/figures/when.tsx';
import { Button } from '../../../ui/form/button.tsx';
import { Dialog, DialogBody } from '../../../ui/form/dialog.tsx';
import { Pager } from '../../../ui/table/pager.tsx';
import type { PlainColumn } from '../../../ui/table/plain-table/plain-column.ts';
import { PlainTable } from '../../../ui/table/plain-table/plain-table.tsx';
import { invoicesKeys } from '../invoices-keys.ts';

type OtherTransfer = CallAnswer<'GET /api/payments/other-tokens'>['data'][number];

const PAGE_ROWS = 10;
const STALE_MS = 60_000;

const otherTokensQuery = (page: number, rows: number) =>
  queryOptions({
    queryKey: [...invoicesKeys.unmatched, 'other-tokens', page, rows],
    staleTime: STALE_MS,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call('GET /api/payments/other-tokens', {
        query: { limit: String(rows), offset: String((page - 1) * rows) },
        signal,
      }),
  });

/** Reports other tokens at addresses of ours while there are any. For super admins, and for information only. */
export function OtherTokensNotice({ explorerUrl }: { explorerUrl: string }) {
  const total = useQuery(otherTokensQuery(1, 1)).data?.meta.total ?? 0;
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      {total > 0 && (
        <Notice
          tone="neutral"
          icon={Coins}
          isBox
          title={
            total === 1
              ? '1 transfer of another token reached an address of ours'
              : `${formatCount(total)} transfers of other tokens reached addresses of ours`
          }
          actions={
            <Button look="quiet" className="-my-1 -me-2 h-7! text-accent!" onClick={() => setOpen(true)}>
              Show tokens
            </Button>
          }
        />
      )}
      {isOpen && <OtherTokensDialog explorerUrl={explorerUrl} onClose={() => setOpen(false)} />}
    </>
  );
}

function OtherTokensDialog({ explorerUrl, onClose }: { explorerUrl: string; onClose(): void }) {
  const [page, setPage] = useState(1);
  const { data, error, refetch, isPlaceholderData } = useQuery(otherTokensQuery(page, PAGE_ROWS));
  const total = data?.meta.total ?? 0;
  useLastPage({ page, rows: PAGE_ROWS, total: data && !isPlaceholderData ? total : undefined }, setPage);
  return (
    <Dialog
      wide
      title="Other tokens at our addresses"
      text="They are listed and never booked. Anyone can make a token and call it anything: compare the contract before you tell its sender anything."
      onClose={onClose}
    >
      <DialogBody>
        <QueryState
          small
          error={
            error && !data ? { title: 'The transfers could not be loaded', message: messageOf(error) } : null
          }
          onRetry={() => void refetch()}
          isLoading={!data}
          loading={<Loading text="Loading transfers..." />}
          isEmpty={total === 0}
          empty={
            <MessagePanel
              icon={CircleCheck}
              level={3}
              small
              title="No other tokens"
              text="Only USDT has reached these addresses"
            />
          }
        >
          <div className="min-h-0 overflow-y-auto overscroll-contain">
            <PlainTable
              label="Transfers of other tokens, latest first"
              columns={columns(explorerUrl)}
              rows={data?.data ?? []}
              keyOf={({ transaction_hash, to_address, token_address }) =>
                `${transaction_hash} ${to_address} ${token_address}`
              }
              isStale={isPlaceholderData}
            />
          </div>
          {total > PAGE_ROWS && (
            <Pager
              label="Pages of tokens"
              page={page}
              pageRows={PAGE_ROWS}
              total={total}
              onChange={setPage}
            />
          )}
        </QueryState>
      </DialogBody>
    </Dialog>
  );
}

const columns = (explorerUrl: string): readonly PlainColumn<OtherTransfer>[] => [
  {
    id: 'seen',
    header: 'Seen',
    width: '20%',
    cell: ({ seen_at }) => <When at={seen_at} />,
  },
  {
    id: 'to',
    header: 'At',
    width: '21%',
    onCard: 'lead',
    cell: ({ trader, to_address }) =>
      trader ? (
        <Link
          to="/trader/$traderId"
          params={{ traderId: trader.id }}
          className="block truncate rounded text-accent hover:underline"
        >
          {trader.reference_number ?? trader.name ?? 'A trader'}
        </Link>
      ) : (
        <Address address={to_address} what="address" />
      ),
  },
  {
    id: 'amount',
    header: 'Amount',
    width: '18%',
    align: 'end',
    cell: ({ amount, has_decimals }) => (
      <span className="block truncate tabular-nums" title={amount}>
        {amount}
        {!has_decimals && <span className="text-xs text-muted"> base units</span>}
      </span>
    ),
  },
  {
    id: 'token',
    header: 'Token',
    width: '26%',
    cell: ({ symbol, token_address }) => (
      <span className="flex min-w-0 flex-wrap items-center gap-x-2 py-1.5">
        {symbol && <bdi className="max-w-full truncate">“{symbol}”</bdi>}
        <Address address={token_address} what="contract" />
      </span>
    ),
  },
  {
    id: 'transaction',
    header: 'Transaction',
    width: '15%',
    onCard: 'end',
    cell: ({ transaction_hash }) => (
      <TxLink hash={transaction_hash} what="Transfer" explorerUrl={explorerUrl} />
    ),
  },
];
