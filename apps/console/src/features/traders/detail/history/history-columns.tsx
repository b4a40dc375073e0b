import type { HistoryPosition } from '@copydesk/contract/traders';
import { percentChange, readSide, signOf } from '@copydesk/domain/trading';
import { formatLeverage, formatPnl, formatPrice, sideWords } from '../../../../lib/format/figures.ts';
import { Direction } from '../../../../ui/figures/direction.tsx';
import { Percentage } from '../../../../ui/figures/percentage.tsx';
import { SignedFigure } from '../../../../ui/figures/signed-figure.tsx';
import { When } from '../../../../ui/figures/when.tsx';
import type { PlainColumn } from '../../../../ui/table/plain-table/plain-column.ts';
import type { HistoryColumn } from '../detail-search.ts';

type ColumnId = HistoryColumn | 'side' | 'entry' | 'exit' | 'leverage' | 'change';

const changeOf = ({ side, entry_price, exit_price }: HistoryPosition) =>
  percentChange(readSide(side), entry_price, exit_price);

function pnlNote(pnl: string | null, areFeesIncluded: boolean): string | undefined {
  if (pnl === null) return 'The exchange does not report this position’s profit in USD';
  return areFeesIncluded ? undefined : 'Before trading fees';
}

/** Columns of the position history (console spec, Trader detail). */
export const historyColumns: readonly PlainColumn<HistoryPosition, ColumnId>[] = [
  {
    id: 'symbol',
    isPinned: true,
    width: '14%',
    header: 'Symbol',
    sortable: true,
    onCard: 'lead',
    cell: ({ symbol }) => <span className="font-medium">{symbol}</span>,
  },
  {
    id: 'side',
    width: '10%',
    header: 'Side',
    onCard: 'lead',
    cell: ({ side }) => <Direction {...sideWords(side)} />,
  },
  {
    id: 'entry',
    width: '14%',
    header: 'Entry Price',
    align: 'end',
    cell: (row) => formatPrice(row.entry_price),
  },
  {
    id: 'exit',
    width: '14%',
    header: 'Exit Price',
    align: 'end',
    cell: (row) => formatPrice(row.exit_price),
  },
  {
    id: 'leverage',
    width: '10%',
    header: 'Leverage',
    align: 'end',
    cell: (row) => formatLeverage(row.leverage),
  },
  {
    id: 'change',
    width: '11%',
    header: '% Change',
    align: 'end',
    cell: (row) => <Percentage isSigned value={changeOf(row)} />,
  },
  {
    id: 'closed_pnl',
    width: '13%',
    header: 'PnL',
    align: 'end',
    sortable: true,
    onCard: 'end',
    cell: ({ closed_pnl, fees_included }) => (
      <span title={pnlNote(closed_pnl, fees_included)} className="relative">
        <SignedFigure text={formatPnl(closed_pnl)} sign={signOf(closed_pnl)} />
        {closed_pnl !== null && !fees_included && <span className="absolute text-muted">*</span>}
      </span>
    ),
  },
  {
    id: 'closed_at',
    width: '14%',
    header: 'Date',
    align: 'end',
    sortable: true,
    cell: ({ date }) => <When at={date} as="day" />,
  },
];
