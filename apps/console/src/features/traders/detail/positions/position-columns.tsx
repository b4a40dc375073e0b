import type { OpenPosition } from '@copydesk/contract/exchanges';
import { estimateLiquidationPrice, percentChange, readSide, signOf } from '@copydesk/domain/trading';
import {
  formatLeverage,
  formatPnl,
  formatPrice,
  formatSize,
  sideWords,
} from '../../../../lib/format/figures.ts';
import { Direction } from '../../../../ui/figures/direction.tsx';
import { Percentage } from '../../../../ui/figures/percentage.tsx';
import { SignedFigure } from '../../../../ui/figures/signed-figure.tsx';
import type { PlainColumn } from '../../../../ui/table/plain-table/plain-column.ts';

const changeOf = ({ side, entryPrice, markPrice }: OpenPosition) =>
  percentChange(readSide(side), entryPrice, markPrice);

/** Columns of the open positions (console spec, Trader detail). */
export const positionColumns: readonly PlainColumn<OpenPosition>[] = [
  {
    id: 'symbol',
    width: '13%',
    header: 'Symbol',
    onCard: 'lead',
    cell: ({ symbol }) => <span className="font-medium">{symbol}</span>,
  },
  {
    id: 'side',
    width: '9%',
    header: 'Side',
    onCard: 'lead',
    cell: ({ side }) => <Direction {...sideWords(side)} />,
  },
  {
    id: 'entry',
    width: '13%',
    header: 'Entry Price',
    align: 'end',
    cell: (row) => formatPrice(row.entryPrice),
  },
  { id: 'mark', width: '13%', header: 'Mark Price', align: 'end', cell: (row) => formatPrice(row.markPrice) },
  {
    id: 'leverage',
    width: '9%',
    header: 'Leverage',
    align: 'end',
    cell: (row) => formatLeverage(row.leverage),
  },
  { id: 'size', width: '9%', header: 'Size', align: 'end', cell: (row) => formatSize(row.contracts) },
  {
    id: 'change',
    width: '10%',
    header: '% Change',
    align: 'end',
    cell: (row) => <Percentage isSigned value={changeOf(row)} />,
  },
  {
    id: 'liquidation',
    width: '13%',
    header: 'Est. Liq Price',
    align: 'end',
    cell: (row) => formatPrice(estimateLiquidationPrice({ ...row, side: readSide(row.side) })),
  },
  {
    id: 'pnl',
    width: '11%',
    header: 'PnL',
    align: 'end',
    onCard: 'end',
    cell: ({ unrealizedPnl }) => (
      <SignedFigure text={formatPnl(unrealizedPnl)} sign={signOf(unrealizedPnl)} />
    ),
  },
];
