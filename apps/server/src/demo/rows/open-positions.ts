import { createWorldAccount, type DemoTrader, openPositionsAt } from '@copydesk/simulators/world';
import type { Cell } from '../copy-rows.ts';

export const OPEN_POSITION_COLUMNS = [
  'account_id',
  'trader_id',
  'provider_id',
  'symbol',
  'side',
  'entry_price',
  'mark_price',
  'leverage',
  'contracts',
  'unrealized_pnl',
  'opened_at',
  'read_at',
];

/** The open positions at the world's hour, as its exchanges would report them. */
export function* openPositionRows(
  traders: Iterable<DemoTrader>,
  hour: Date,
  readAt: Date,
): Generator<Cell[]> {
  for (const t of traders)
    for (const a of t.accounts)
      for (const p of openPositionsAt(createWorldAccount(t, a, hour), hour.getTime()))
        yield [
          a.id,
          t.id,
          a.providerId,
          p.symbol,
          p.side,
          p.entryPrice,
          p.markPrice,
          p.leverage,
          p.contracts,
          p.unrealizedPnl.toFixed(8),
          new Date(p.openedAt),
          readAt,
        ];
}
