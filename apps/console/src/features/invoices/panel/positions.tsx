import { signOf } from '@copydesk/domain/trading';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '../../../lib/api/api-error.ts';
import { formatPnl, formatPrice, sideWords } from '../../../lib/format/figures.ts';
import { formatCount } from '../../../lib/format/numbers.ts';
import { useLastPage } from '../../../lib/list/use-last-page.ts';
import { Direction } from '../../../ui/figures/direction.tsx';
import { SignedFigure } from '../../../ui/figures/signed-figure.tsx';
import { When } from '../../../ui/figures/when.tsx';
import { PanelSection } from '../../../ui/layout/panel-section.tsx';
import { Pager } from '../../../ui/table/pager.tsx';
import type { InvoiceDetail, InvoicedPosition } from './invoice-query.ts';
import { POSITION_ROWS, positionsQuery } from './invoice-query.ts';
import { PartState } from './part-state.tsx';

function Position({ position }: { position: InvoicedPosition }) {
  const { symbol, side, entry_price, exit_price, closed_pnl, closed_at } = position;
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 border-t border-line px-4 py-1.5 first:border-t-0">
      <span className="flex min-w-0 items-center gap-2">
        <span className="truncate font-medium">{symbol}</span>
        <span className="text-xs">
          <Direction {...sideWords(side)} />
        </span>
      </span>
      <span className="text-end">
        <SignedFigure text={formatPnl(closed_pnl)} sign={signOf(closed_pnl)} />
      </span>
      <span className="truncate text-xs text-muted tabular-nums">
        {formatPrice(entry_price)} → {formatPrice(exit_price)}
      </span>
      <When at={closed_at} as="day" className="text-end text-xs text-muted" />
    </li>
  );
}

/** The closed positions of an invoice. */
export function Positions({ invoice }: { invoice: InvoiceDetail }) {
  const [page, setPage] = useState(1);
  const { data, error, refetch, isPlaceholderData } = useQuery(positionsQuery(invoice.id, page));
  const total = data?.meta.total ?? 0;
  useLastPage({ page, rows: POSITION_ROWS, total: data && !isPlaceholderData ? total : undefined }, setPage);
  return (
    <PanelSection title="Positions" note={data && formatCount(total)} flush>
      <PartState
        error={error && !data ? messageOf(error) : null}
        onRetry={() => void refetch()}
        isLoading={!data}
        empty={total === 0 ? 'No positions recorded for this invoice' : null}
      >
        <ul aria-label="Positions" className={isPlaceholderData ? 'opacity-55' : undefined}>
          {data?.data.map((position) => (
            <Position key={position.id} position={position} />
          ))}
        </ul>
        {total > POSITION_ROWS && (
          <Pager
            label="Pages of positions"
            page={page}
            pageRows={POSITION_ROWS}
            total={total}
            onChange={setPage}
          />
        )}
      </PartState>
    </PanelSection>
  );
}
