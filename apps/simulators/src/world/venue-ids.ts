import type { Exchange } from '@copydesk/domain/catalogue';
import { createRandom, mixSeed } from './random.ts';

/** A venue's ids for the opening and the closing of a position. */
export interface VenueIds {
  /** bybit, binance, kucoin, hyperliquid: the order (or fill) that opened it; okx: the position itself (posId). */
  openId: string;
  /** The order (bybit, binance), record (kucoin) or fill (hyperliquid) that closed it. */
  closeId: string;
}

/**
 * The ids of one position. Numbers have 15 digits, which a JSON number still represents exactly: the second, the
 * position's ordinal, and the account, so that none repeats.
 * @param nth ordinal of the position within the account; its last three digits are unique within a second
 */
export function createVenueIds(
  exchange: Exchange,
  accountSeed: number,
  nth: number,
  openedAt: number,
  closedAt: number,
): VenueIds {
  const serial = (ms: number) =>
    `${Math.floor(ms / 1000)}${String(nth % 1000).padStart(3, '0')}${10 + (accountSeed % 90)}`;
  if (exchange !== 'bybit') return { openId: serial(openedAt), closeId: serial(closedAt) };
  const random = createRandom(mixSeed(accountSeed, nth));
  return { openId: random.uuid(), closeId: random.uuid() };
}

/**
 * The permanent id of a closed position, as every reader of the venue derives it: bybit `orderId:updatedTime`, okx
 * `posId:uTime`, kucoin `closeId`, binance `symbol:orderId:time`, hyperliquid `tid`.
 * @param closedAt in ms
 */
export function venueIdOf(
  exchange: Exchange,
  { openId, closeId }: VenueIds,
  symbol: string,
  closedAt: number,
): string {
  if (exchange === 'bybit') return `${closeId}:${closedAt}`;
  if (exchange === 'okx') return `${openId}:${closedAt}`;
  if (exchange === 'binance') return `${symbol}:${closeId}:${closedAt}`;
  return closeId;
}
