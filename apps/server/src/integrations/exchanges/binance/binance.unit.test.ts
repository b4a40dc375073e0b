import { expect, test } from 'vitest';
import { createUnifiedParsers } from '../../../../../../tests/support/exchanges/ccxt-unified.ts';
import { findBinanceAlias, mayBinanceWithdraw, readBinanceKeyInfo } from './binance-account.ts';
import { readBinanceLeverages, readBinancePositions } from './binance-positions.ts';
import { groupBinanceTrades, isBinanceIncomeInDollars, readBinanceTrades } from './binance-trades.ts';

const MARKET = { id: 'ETHUSDT', symbol: 'ETH/USDT:USDT', base: 'ETH', quote: 'USDT', contractSize: 1 };

/** Fields of developers.binance.com, Position Information V3 */
const POSITION = {
  symbol: 'ETHUSDT',
  positionSide: 'BOTH',
  positionAmt: '-3.250',
  entryPrice: '3120.5',
  breakEvenPrice: '3119.2',
  markPrice: '3098.07000000',
  unRealizedProfit: '72.89750000',
  liquidationPrice: '3950.11',
  isolatedMargin: '0',
  notional: '-10068.72750000',
  updateTime: 1_700_000_000_111,
};

/** Fields of developers.binance.com, Account Trade List */
const TRADE = {
  buyer: false,
  commission: '0.07819010',
  id: 698_759,
  maker: false,
  orderId: 25_851_813,
  price: '3100.00',
  qty: '2.000',
  quoteQty: '6200.00',
  realizedPnl: '40.00000000',
  side: 'SELL',
  positionSide: 'BOTH',
  symbol: 'ETHUSDT',
  time: 1_700_000_000_111,
};

const closed = (...trades: object[]) => groupBinanceTrades(readBinanceTrades(trades), true);

test('an open position, with its leverage from elsewhere; ccxt has none', async () => {
  const leverages = readBinanceLeverages([{ symbol: 'ETHUSDT', marginType: 'CROSSED', leverage: 21 }]);
  expect(readBinancePositions([POSITION], leverages)).toEqual([
    {
      symbol: 'ETHUSDT',
      venueSymbol: 'ETHUSDT',
      side: 'short',
      contracts: '3.25',
      entryPrice: '3120.5',
      markPrice: '3098.07000000',
      leverage: '21',
      liquidationPrice: '3950.11',
      unrealizedPnl: '72.89750000',
      openedAt: null,
    },
  ]);
  const ccxt = (await createUnifiedParsers('binance', MARKET)) as unknown as {
    parsePositionRisk(row: object): object;
  };
  expect(ccxt.parsePositionRisk(POSITION)).toMatchObject({
    side: 'short',
    contracts: 3.25,
    entryPrice: 3120.5,
    markPrice: 3098.07,
    liquidationPrice: 3950.11,
    unrealizedPnl: 72.8975,
    leverage: undefined,
  });
});

test('rows of symbols that are not held are left out, a liquidation price of 0 is none', () => {
  const none = { ...POSITION, positionAmt: '0.000' };
  const long = { ...POSITION, positionSide: 'LONG', positionAmt: '1', liquidationPrice: '0' };
  const positions = readBinancePositions([none, long], new Map());
  expect(positions).toMatchObject([{ side: 'long', liquidationPrice: null, leverage: null }]);
});

test('the entry price comes from exit, size and PnL', () => {
  expect(closed(TRADE)).toEqual([
    {
      venueId: 'ETHUSDT:25851813:1700000000111',
      symbol: 'ETHUSDT',
      side: 'long',
      entryPrice: '3080',
      exitPrice: '3100',
      leverage: null,
      contracts: '2',
      closedPnl: '40',
      feesIncluded: false,
      openedAt: null,
      closedAt: 1_700_000_000_111,
    },
  ]);
  expect(closed({ ...TRADE, side: 'BUY' })[0]).toMatchObject({ side: 'short', entryPrice: '3120' });
});

test('fills of one order at one ms are one position, priced by their amounts', () => {
  const other = { ...TRADE, id: 698_760, price: '3103.00', qty: '1.000', realizedPnl: '23.00000000' };
  const later = { ...other, id: 698_761, time: TRADE.time + 1 };
  const items = closed(TRADE, other, later);
  expect(items).toHaveLength(2);
  expect(items[0]).toMatchObject({ contracts: '3', exitPrice: '3101', entryPrice: '3080', closedPnl: '63' });
});

test('opening fills are left out; in hedge mode by their side, even without profit', () => {
  expect(closed({ ...TRADE, realizedPnl: '0' })).toEqual([]);
  expect(closed({ ...TRADE, positionSide: 'LONG', realizedPnl: '0' })).toMatchObject([
    { entryPrice: '3100' },
  ]);
  expect(closed({ ...TRADE, positionSide: 'SHORT', realizedPnl: '0' })).toEqual([]);
});

test('profit in an asset other than dollars stays unknown, and never counts as dollars', () => {
  const row = { ...POSITION, symbol: 'ETHBTC', markPrice: '0.05', unRealizedProfit: '0.4' };
  const unknown = [
    { ...row, marginAsset: 'BTC' },
    row,
    { ...POSITION, symbol: 'ETHEUR' },
    { ...POSITION, marginAsset: 'EURI' },
  ];
  for (const one of unknown) expect(readBinancePositions([one], new Map())[0]?.unrealizedPnl).toBeNull();
  for (const one of [
    { ...POSITION, marginAsset: 'USDC' },
    { ...POSITION, marginAsset: 'BNFCR' },
  ])
    expect(readBinancePositions([one], new Map())[0]?.unrealizedPnl).toBe('72.89750000');
  const inBitcoin = { ...TRADE, symbol: 'ETHBTC', price: '0.05', realizedPnl: '0.01' };
  expect(groupBinanceTrades(readBinanceTrades([inBitcoin]), false)).toMatchObject([
    { symbol: 'ETHBTC', exitPrice: '0.05', entryPrice: '0.045', contracts: '2', closedPnl: null },
  ]);
});

test.each([
  [{ symbol: 'BTCUSDT', asset: 'USDT' }, true],
  [{ symbol: 'BTCUSDT', asset: 'BNFCR' }, true],
  [{ symbol: 'BTCUSDC_260327' }, true],
  [{ symbol: 'ETHBTC', asset: 'BTC' }, false],
  [{ symbol: 'ETHBTC' }, false],
  [{ symbol: 'BTCUSDT', asset: 'BNB' }, false],
])('income of %j is in dollars: %s', (row, isInDollars) => {
  expect(isBinanceIncomeInDollars(row)).toBe(isInDollars);
});

test('order numbers above 2^53 come as text and stay exact', () => {
  const orderId = '8389765519993908929';
  expect(closed({ ...TRADE, orderId })[0]?.venueId).toBe(`ETHUSDT:${orderId}:1700000000111`);
  expect(() => readBinanceTrades([{ ...TRADE, orderId: Number(orderId) }])).toThrow('bad_response');
});

test('the key shows that there is a list, but not its addresses', () => {
  const key = {
    ipRestrict: true,
    enableWithdrawals: false,
    enableReading: true,
    createTime: 1_700_000_000_000,
  };
  expect(readBinanceKeyInfo(key)).toEqual({
    isSupported: true,
    isRestricted: true,
    ips: null,
    accountType: null,
  });
  expect(readBinanceKeyInfo({ ...key, ipRestrict: false })).toMatchObject({ isRestricted: false, ips: [] });
  expect(mayBinanceWithdraw({ ...key, enableWithdrawals: true })).toBe(true);
  expect(mayBinanceWithdraw({ ipRestrict: true })).toBeNull();
  expect(() => mayBinanceWithdraw({})).toThrow('bad_response');
});

test('the name of the account', () => {
  expect(findBinanceAlias([{ accountAlias: 'SgsRfWuXSg', asset: 'USDT', balance: '1' }])).toBe('SgsRfWuXSg');
  expect(findBinanceAlias([])).toBeNull();
});
