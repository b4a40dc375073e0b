import { signOf } from '@copydesk/domain/trading';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '../../../lib/api/api-error.ts';
import { exchangeName } from '../../../lib/format/exchange-name.ts';
import { formatPnl, formatPrice, sideWords } from '../../../lib/format/figures.ts';
import { useLastPage } from '../../../lib/list/use-last-page.ts';
import { Loading } from '../../../ui/feedback/loading.tsx';
import { QueryState } from '../../../ui/feedback/query-state.tsx';
import { Direction } from '../../../ui/figures/direction.tsx';
import { Name } from '../../../ui/figures/linked.tsx';
import { SignedFigure } from '../../../ui/figures/signed-figure.tsx';
import { When } from '../../../ui/figures/when.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { Pager } from '../../../ui/table/pager.tsx';
import type { PlainColumn } from '../../../ui/table/plain-table/plain-column.ts';
import { PlainTable } from '../../../ui/table/plain-table/plain-table.tsx';
import { type InvoicedPosition, positionsQuery } from '../panel/invoice-query.ts';

const ROWS = 25;

const columns: readonly PlainColumn<InvoicedPosition>[] = [
  {
    id: 'symbol',
    width: '20%',
    header: 'Symbol',
    onCard: 'lead',
    cell: ({ symbol, side }) => (
      <span className="flex min-w-0 items-baseline gap-2">
        <span className="truncate font-medium" title={symbol}>
          {symbol}
        </span>
        <span className="text-xs">
          <Direction {...sideWords(side)} />
        </span>
      </span>
    ),
  },
  {
    id: 'account',
    width: '16%',
    header: 'Account',
    cell: ({ exchange, acc_uid }) => (
      <span title={acc_uid} className="block truncate">
        {exchangeName(exchange)} <span className="font-mono text-xs text-muted">{acc_uid}</span>
      </span>
    ),
  },
  {
    id: 'provider',
    width: '14%',
    header: 'Provider',
    cell: ({ provider_name }) => (
      <span className="block truncate">
        <Name plain="The invoice leads to it">{provider_name}</Name>
      </span>
    ),
  },
  { id: 'entry', width: '11%', header: 'Entry', align: 'end', cell: (row) => formatPrice(row.entry_price) },
  { id: 'exit', width: '11%', header: 'Exit', align: 'end', cell: (row) => formatPrice(row.exit_price) },
  {
    id: 'profit',
    width: '13%',
    header: 'Profit',
    align: 'end',
    onCard: 'end',
    cell: ({ closed_pnl, fees_included }) => (
      <span className="relative">
        <SignedFigure text={formatPnl(closed_pnl)} sign={signOf(closed_pnl)} />
        {!fees_included && <span className="absolute text-muted">*</span>}
      </span>
    ),
  },
  {
    id: 'closed',
    width: '15%',
    header: 'Closed',
    align: 'end',
    cell: ({ closed_at }) => <When at={closed_at} as="day" />,
  },
];

/** The positions that an invoice charges, with the account, the prices and the profit of each. */
export function ChargedPositions({ invoiceId }: { invoiceId: string }) {
  const [page, setPage] = useState(1);
  const { data, error, refetch, isPlaceholderData } = useQuery(positionsQuery(invoiceId, page, ROWS));
  const total = data?.meta.total ?? 0;
  useLastPage({ page, rows: ROWS, total: data && !isPlaceholderData ? total : undefined }, setPage);
  return (
    <Panel
      title="Positions"
      count={data && total}
      flush
      note={
        data &&
        total > 0 && (
          <span>
            Profit{' '}
            <span className="text-sm font-semibold">
              <SignedFigure text={formatPnl(data.meta.profit)} sign={signOf(data.meta.profit)} />
            </span>
          </span>
        )
      }
    >
      <QueryState
        small
        error={
          error && !data ? { title: 'The positions could not be loaded', message: messageOf(error) } : null
        }
        onRetry={() => void refetch()}
        isLoading={!data}
        loading={<Loading text="Loading positions..." />}
        isEmpty={total === 0}
        empty={<p className="px-4 py-3 text-muted">No positions recorded for this invoice</p>}
      >
        <PlainTable
          label="Positions"
          columns={columns}
          rows={data?.data ?? []}
          keyOf={({ id }) => id}
          isStale={isPlaceholderData}
        />
        {data?.data.some(({ fees_included }) => !fees_included) && (
          <p className="border-t border-line px-4 py-1.5 text-xs text-muted">
            * before trading fees, which the exchange does not report
          </p>
        )}
        {total > ROWS && (
          <Pager label="Pages of positions" page={page} pageRows={ROWS} total={total} onChange={setPage} />
        )}
      </QueryState>
    </Panel>
  );
}
