import { expect, test } from 'vitest';
import { createUnifiedParsers } from '../../../../../../tests/support/exchanges/ccxt-unified.ts';
import { isBybitClassic, readBybitEquity, readBybitIdentity, readBybitKeyInfo } from './bybit-account.ts';
import { readBybitClosed } from './bybit-closed.ts';
import { readBybitPositionRows, toBybitPositions } from './bybit-positions.ts';
import { type BybitCategory, bybitSymbol } from './bybit-symbol.ts';

const MARKET = { id: 'ETHUSDT', symbol: 'ETH/USDT:USDT', base: 'ETH', quote: 'USDT', contractSize: 1 };

/** Fields of https://bybit-exchange.github.io/docs/v5/position */
const POSITION = {
  positionIdx: 0,
  symbol: 'ETHUSDT',
  side: 'Sell',
  size: '2.50',
  avgPrice: '3120.445',
  positionValue: '7801.1125',
  leverage: '12.5',
  markPrice: '3098.07',
  liqPrice: '3350.21',
  bustPrice: '',
  positionIM: '624.089',
  positionMM: '39.01',
  unrealisedPnl: '55.9375',
  createdTime: '1690000000123',
  updatedTime: '1700000000456',
};

/** Fields of https://bybit-exchange.github.io/docs/v5/position/close-pnl */
const CLOSED = {
  symbol: 'ETHUSDT',
  orderId: '0f5ca9a1-9f0d-4c3a-a5c5-3d6b8f0c7f11',
  side: 'Buy',
  qty: '0.40',
  closedSize: '0.40',
  avgEntryPrice: '3300.125',
  avgExitPrice: '3280.5',
  cumEntryValue: '1320.05',
  cumExitValue: '1312.2',
  closedPnl: '6.40171',
  leverage: '20',
  openFee: '0.7260275',
  closeFee: '0.72171',
  createdTime: '1700000000400',
  updatedTime: '1700000000456',
};

const listed = (row: object) => ({ retCode: 0, result: { list: [row], nextPageCursor: '' } });

function readBybitPositions(answer: unknown, category: BybitCategory) {
  const { rows, nextCursor } = readBybitPositionRows(answer);
  return { positions: toBybitPositions(rows, category), nextCursor };
}

test('an open position', () => {
  expect(readBybitPositions(listed(POSITION), 'linear')).toEqual({
    nextCursor: null,
    positions: [
      {
        symbol: 'ETHUSDT',
        venueSymbol: 'ETHUSDT',
        side: 'short',
        contracts: '2.50',
        entryPrice: '3120.445',
        markPrice: '3098.07',
        leverage: '12.5',
        liquidationPrice: '3350.21',
        unrealizedPnl: '55.9375',
        openedAt: null,
      },
    ],
  });
});

test('it agrees with ccxt, which takes the first position ever for the opening time', async () => {
  const ccxt = await createUnifiedParsers('bybit', MARKET);
  const theirs = ccxt.parsePosition(POSITION);
  const ours = readBybitPositions(listed(POSITION), 'linear').positions[0];
  expect(theirs).toMatchObject({
    side: ours?.side,
    contracts: Number(ours?.contracts),
    entryPrice: Number(ours?.entryPrice),
    markPrice: Number(ours?.markPrice),
    leverage: Number(ours?.leverage),
    liquidationPrice: Number(ours?.liquidationPrice),
    unrealizedPnl: Number(ours?.unrealizedPnl),
    timestamp: 1_690_000_000_123,
  });
});

test('a closed position has the other side than the order that closed it, as in ccxt', async () => {
  const [ours] = readBybitClosed(listed(CLOSED), 'linear').items;
  expect(ours).toEqual({
    venueId: '0f5ca9a1-9f0d-4c3a-a5c5-3d6b8f0c7f11:1700000000456',
    symbol: 'ETHUSDT',
    side: 'short',
    entryPrice: '3300.125',
    exitPrice: '3280.5',
    leverage: '20',
    contracts: '0.40',
    closedPnl: '6.40171',
    feesIncluded: true,
    openedAt: null,
    closedAt: 1_700_000_000_456,
  });
  const ccxt = await createUnifiedParsers('bybit', MARKET);
  expect(ccxt.parsePosition(CLOSED)).toMatchObject({
    side: 'short',
    entryPrice: 3300.125,
    leverage: 20,
    lastUpdateTimestamp: 1_700_000_000_456,
  });
});

test('the profit of an inverse contract is in USD, and its size in the coin', () => {
  const row = {
    ...CLOSED,
    symbol: 'BTCUSD',
    closedSize: '3000',
    avgEntryPrice: '60000',
    avgExitPrice: '50000',
    closedPnl: '0.01',
  };
  expect(readBybitClosed(listed(row), 'inverse').items[0]).toMatchObject({
    symbol: 'BTCUSD',
    contracts: '0.05',
    closedPnl: '500',
  });
  const position = {
    ...POSITION,
    symbol: 'BTCUSD',
    size: '3000',
    positionValue: '0.05',
    unrealisedPnl: '-0.002',
    markPrice: '50000',
  };
  expect(readBybitPositions(listed(position), 'inverse').positions[0]).toMatchObject({
    contracts: '0.05',
    unrealizedPnl: '-100',
  });
});

test('an empty place in the list is no position', () => {
  const empty = { ...POSITION, side: '', size: '0', avgPrice: '0', liqPrice: '', unrealisedPnl: '' };
  expect(readBybitPositions(listed(empty), 'linear').positions).toEqual([]);
});

test.each([
  ['BTCUSDT', 'BTCUSDT'],
  ['1000PEPEUSDT', '1000PEPEUSDT'],
  ['BTCPERP', 'BTCUSDC'],
  ['BTC-26DEC25', 'BTCUSDC'],
  ['BTCUSDT-26DEC25', 'BTCUSDT'],
])('%s is %s', (venueSymbol, symbol) => {
  expect(bybitSymbol(venueSymbol, 'linear')).toBe(symbol);
});

test.each([
  ['BTCUSD', 'BTCUSD'],
  ['BTCUSDZ25', 'BTCUSD'],
])('%s is %s, inverse', (venueSymbol, symbol) => {
  expect(bybitSymbol(venueSymbol, 'inverse')).toBe(symbol);
});

test.each(['None', ''])('a position with a size and the side %j is neither long nor short', (side) => {
  expect(() => readBybitPositions(listed({ ...POSITION, side }), 'linear')).toThrow('bad_response');
});

test('an inverse position without its value is sized by its price, never in dollars', () => {
  const inverse = { ...POSITION, symbol: 'BTCUSD', size: '3000', avgPrice: '60000', markPrice: '' };
  for (const positionValue of ['', '0'])
    expect(readBybitPositions(listed({ ...inverse, positionValue }), 'inverse').positions[0]).toMatchObject({
      contracts: '0.05',
      markPrice: null,
      unrealizedPnl: null,
    });
});

test('profit of an inverse contract without an exit price, or of an unknown kind of contract, stays unknown', () => {
  const coin = { ...CLOSED, symbol: 'BTCUSD', closedPnl: '0.1' };
  for (const avgExitPrice of ['', '0'])
    expect(readBybitClosed(listed({ ...coin, avgExitPrice }), 'inverse').items[0]).toMatchObject({
      exitPrice: null,
      closedPnl: null,
    });
  expect(readBybitClosed(listed({ ...coin, avgEntryPrice: '' }), 'inverse').items[0]?.contracts).toBeNull();
  expect(readBybitClosed(listed({ ...CLOSED, symbol: 'ETHEUR' }), 'linear').items[0]?.closedPnl).toBeNull();
});

test('a wallet of another kind than unified belongs to a classic account', () => {
  const answer = { result: { list: [{ totalEquity: '5', accountType: 'CONTRACT' }] } };
  expect(() => readBybitEquity(answer)).toThrow('classic_account');
  expect(isBybitClassic({ result: { uta: 0 } })).toBe(true);
  expect(isBybitClassic({ result: { uta: 1 } })).toBe(false);
  expect(isBybitClassic({ result: {} })).toBeNull();
});

const KEY = {
  retCode: 0,
  result: {
    userID: 24617703,
    isMaster: false,
    parentUid: '88',
    readOnly: 1,
    ips: ['203.0.113.4', '203.0.113.5'],
    permissions: { ContractTrade: ['Order'], Wallet: ['AccountTransfer', 'Withdraw'] },
  },
};

test('the key shows its owner, permissions and addresses', () => {
  expect(readBybitIdentity(KEY)).toEqual({
    accUid: '24617703',
    accountType: 'subaccount',
    mayWithdraw: true,
    keyExpiresAt: null,
  });
  expect(readBybitKeyInfo(KEY)).toEqual({
    isSupported: true,
    isRestricted: true,
    ips: ['203.0.113.4', '203.0.113.5'],
    accountType: 'subaccount',
    expiresAt: null,
  });
  const free = { ...KEY, result: { ...KEY.result, ips: ['*'], permissions: {} } };
  expect(readBybitKeyInfo(free)).toMatchObject({ isRestricted: false, ips: [] });
  // No permission is listed: unknown, not no.
  expect(readBybitIdentity(free)).toMatchObject({ mayWithdraw: null });
});

test.each([
  ['bound to addresses', { deadlineDay: -2, expiredAt: '2023-05-15T03:21:05Z' }, null],
  ['bound to none', { deadlineDay: 83, expiredAt: '2023-05-15T03:21:05Z' }, 1_684_120_865_000],
  ['without an end', { deadlineDay: 0, expiredAt: '1970-01-01T00:00:00Z' }, null],
  ['with a date that is none', { deadlineDay: 5, expiredAt: 'soon' }, null],
  ['with words of another kind', { deadlineDay: 'many', expiredAt: 7 }, null],
])('a key %s ends then', (_name, end, expiresAt) => {
  const answer = { ...KEY, result: { ...KEY.result, ...end } };
  expect(readBybitKeyInfo(answer)).toMatchObject({ isSupported: true, expiresAt });
  expect(readBybitIdentity(answer)).toMatchObject({ keyExpiresAt: expiresAt });
});

test('the equity keeps every digit', () => {
  const answer = { result: { list: [{ totalEquity: '18070.328351234567891', accountType: 'UNIFIED' }] } };
  expect(readBybitEquity(answer)).toBe('18070.328351234567891');
});

test.each([
  {},
  { result: null },
  { result: { list: [] } },
  'text',
  null,
  { result: { list: [{ totalEquity: '' }] } },
])('an answer of another shape is refused: %j', (answer) => {
  expect(() => readBybitEquity(answer)).toThrow('bad_response');
  expect(() => readBybitIdentity(answer)).toThrow('bad_response');
});
