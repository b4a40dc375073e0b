import { z } from 'zod';
import { GatewayError } from '../../gateway.ts';
import type { Page } from '../../paging/page-trail.ts';
import { readPages } from '../../paging/read-pages.ts';
import type { PoolPosition } from '../../pool-records.ts';
import { isZero } from '../../shapes/decimal-text.ts';
import { decimal, identifier, plainNumber, readShape } from '../../shapes/read-shape.ts';
import type { Session } from '../../venue.ts';
import { unlessClassic } from '../bybit-classic.ts';
import { BYBIT_POOL } from './pool-endpoints.ts';
import { optionalText } from './pool-shapes.ts';

type Category = PoolPosition['category'];

/** Linear contracts are listed for one settlement coin at a time, the others all at once. */
const LISTS: { category: Category; settleCoin?: string }[] = [
  { category: 'linear', settleCoin: 'USDT' },
  { category: 'linear', settleCoin: 'USDC' },
  { category: 'inverse' },
  { category: 'option' },
];
const POSITION_ROWS = 200;
const ORDER_ROWS = 50;

const position = z.object({
  symbol: z.string(),
  positionIdx: plainNumber.nullish(),
  side: z.string(),
  size: decimal,
});
const positionsAnswer = z.object({
  result: z.object({ list: z.array(position), nextPageCursor: optionalText }),
});
const ordersAnswer = z.object({
  result: z.object({ list: z.array(z.object({ orderId: identifier })), nextPageCursor: optionalText }),
});

/** A position with a size and without a side contradicts itself. */
function sideOf(side: string): PoolPosition['side'] {
  if (side === 'Buy') return 'long';
  if (side === 'Sell') return 'short';
  throw new GatewayError('bad_response');
}

type Row = z.infer<typeof position>;

function readPositions(answer: unknown): Page<Row> {
  const { list, nextPageCursor } = readShape(positionsAnswer, answer).result;
  return { rows: list, nextCursor: nextPageCursor };
}

const positionId = ({ symbol, positionIdx, side }: Row): string => `${symbol} ${positionIdx ?? ''} ${side}`;

function toPosition(from: Row, category: Category): PoolPosition {
  return {
    category,
    venueSymbol: from.symbol,
    side: sideOf(from.side),
    size: from.size,
  };
}

function readOrders(answer: unknown): Page<string> {
  const { list, nextPageCursor } = readShape(ordersAnswer, answer).result;
  return { rows: list.map(({ orderId }) => orderId), nextCursor: nextPageCursor };
}

/** Every row with a size, whatever its contract: an unknown kind of position is still one. */
export async function listBybitHoldings(session: Session): Promise<PoolPosition[]> {
  const read = async (list: (typeof LISTS)[number]) => {
    const params = { ...list, limit: POSITION_ROWS };
    const rows = await readPages(
      session,
      { endpoint: BYBIT_POOL.positions, params },
      readPositions,
      positionId,
    );
    return rows.filter(({ size }) => !isZero(size)).map((row) => toPosition(row, list.category));
  };
  return unlessClassic(session, async () => (await Promise.all(LISTS.map(read))).flat());
}

/** Includes conditional orders, and those of take profit and stop loss, which the venue lists by default. */
export async function countBybitOrders(session: Session): Promise<number> {
  const read = (list: { category: string; settleCoin?: string }) =>
    readPages(
      session,
      { endpoint: BYBIT_POOL.openOrders, params: { ...list, limit: ORDER_ROWS } },
      readOrders,
      (orderId) => orderId,
    );
  const lists = [...LISTS, { category: 'spot' }];
  return unlessClassic(session, async () => new Set((await Promise.all(lists.map(read))).flat()).size);
}
