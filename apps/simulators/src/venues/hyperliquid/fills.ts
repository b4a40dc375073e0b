import { createHash } from 'node:crypto';
import {
  type ClosedTrade,
  closedPositionsBetween,
  decimalText,
  type OpenTrade,
  openPositionsAt,
  type WorldAccount,
} from '../../world/index.ts';
import { listDexFills } from './dexes.ts';

const FILLS_AT_MOST = 2000;
/** The venue forgets older ones. */
const FILLS_KEPT = 10_000;

/**
 * https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/info-endpoint: 2,000 fills an answer at most, of
 * the latest 10,000. With a time the oldest first; without one the newest first.
 */
export function listFillsByTime(account: WorldAccount | null, fromMs: number, toMs: number, now: number) {
  return listAll(account, now)
    .filter(({ time }) => time >= fromMs && time <= toMs)
    .slice(0, FILLS_AT_MOST);
}

export function listLatestFills(account: WorldAccount | null, now: number) {
  return listAll(account, now).slice(-FILLS_AT_MOST).reverse();
}

/** Every order matches one other order, so aggregateByTime has nothing to combine. */
function listAll(account: WorldAccount | null, now: number) {
  if (!account) return [];
  const closed = closedPositionsBetween(account, 0, now);
  return [
    ...closed.flatMap((trade) => [openingFill(trade), closingFill(trade)]),
    ...openPositionsAt(account, now).map((trade) => openingFill(trade)),
    ...listDexFills(account).filter(({ time }) => time <= now),
    ...listOutcomeFills(account).filter(({ time }) => time <= now),
  ]
    .sort((a, b) => a.time - b.time || a.tid - b.tid)
    .slice(-FILLS_KEPT);
}

/**
 * https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/asset-ids: an outcome that a unified account held,
 * which is held like spot, and its settlement.
 */
function listOutcomeFills(account: WorldAccount) {
  if (account.traits.books !== 'unified') return [];
  return ['22.75', '-48.5'].map((closedPnl, nth) => ({
    coin: nth === 0 ? '#211' : '#59450',
    px: nth === 0 ? '1.0' : '0.0',
    sz: '33.0',
    side: 'A',
    time: account.epochMs + 3_600_000 + nth,
    startPosition: '33.0',
    dir: 'Settlement',
    closedPnl,
    fee: '0.0',
    hash: `0x${createHash('sha256').update(`outcome ${nth}`).digest('hex')}`,
    oid: 900_000 + nth,
    crossed: true,
    tid: 900_000 + nth,
    feeToken: 'USDC',
    twapId: null,
  }));
}

function openingFill(trade: OpenTrade | ClosedTrade) {
  const { side, openId, openedAt, entryPrice, openFee } = trade;
  return {
    ...fillOf(trade, openId),
    px: entryPrice,
    side: side === 'long' ? 'B' : 'A',
    time: openedAt,
    startPosition: '0.0',
    dir: side === 'long' ? 'Open Long' : 'Open Short',
    closedPnl: '0.0',
    fee: decimalText(openFee),
  };
}

function closingFill(trade: ClosedTrade) {
  const { side, closeId, closedAt, exitPrice, closeFee, contracts, grossPnl } = trade;
  return {
    ...fillOf(trade, closeId),
    px: exitPrice,
    side: side === 'long' ? 'A' : 'B',
    time: closedAt,
    startPosition: side === 'long' ? contracts : `-${contracts}`,
    dir: side === 'long' ? 'Close Long' : 'Close Short',
    closedPnl: decimalText(grossPnl),
    fee: decimalText(closeFee),
  };
}

function fillOf({ instrument, contracts }: OpenTrade | ClosedTrade, id: string) {
  return {
    coin: instrument.base,
    sz: contracts,
    hash: `0x${createHash('sha256').update(id).digest('hex')}`,
    oid: Number(id.slice(3)),
    crossed: true,
    tid: Number(id),
    feeToken: 'USDC',
    twapId: null,
  };
}
