import { expect, test } from 'vitest';
import { createUnifiedParsers } from '../../../../../../tests/support/exchanges/ccxt-unified.ts';
import {
  readKucoinEquity,
  readKucoinIdentity,
  readKucoinKeyInfo,
  readKucoinMarkPrice,
} from './kucoin-account.ts';
import { readKucoinClosed, toKucoinClosed } from './kucoin-closed.ts';
import { readKucoinContracts, readKucoinSymbol } from './kucoin-contracts.ts';
import { readKucoinPositionRows, toKucoinPosition } from './kucoin-positions.ts';

const MARKET = { id: 'XBTUSDTM', symbol: 'BTC/USDT:USDT', base: 'BTC', quote: 'USDT', contractSize: 0.001 };
const LINEAR = {
  symbol: 'BTCUSDT',
  base: 'XBT',
  quote: 'USDT',
  settles: 'USDT',
  value: '0.001',
  isInverse: false,
};

/** Fields of https://www.kucoin.com/docs-new/rest/futures-trading/positions/get-position-list: JSON numbers */
const POSITION = {
  id: '615ba79f83a3410001cde321',
  symbol: 'XBTUSDTM',
  crossMode: true,
  isOpen: true,
  currentQty: -125,
  avgEntryPrice: 64321.7,
  markPrice: 64000.12,
  liquidationPrice: 80100.5,
  leverage: 5,
  realLeverage: 4.87,
  unrealisedPnl: 40.1975,
  settleCurrency: 'USDT',
  openingTimestamp: 1_700_000_000_111,
  currentTimestamp: 1_700_000_500_000,
};

/** Fields of https://www.kucoin.com/docs-new/rest/futures-trading/positions/get-positions-history */
const CLOSED = {
  closeId: '500000000036305465',
  userId: '633559791e1cbc0001f319bc',
  symbol: 'XBTUSDTM',
  settleCurrency: 'USDT',
  leverage: '1.0',
  type: 'CLOSE_LONG',
  side: 'LONG',
  closeSize: null,
  pnl: '0.51214413',
  realisedGrossCost: '-0.5837',
  tradeFee: '0.03766066',
  fundingFee: '-0.03389521',
  openTime: 1_735_549_162_120,
  closeTime: 1_735_589_352_069,
  openPrice: '93859.8',
  closePrice: '94443.5',
};

const readPosition = (row: object) => readKucoinPositionRows({ code: '200000', data: [row] })[0];
const readClosed = (row: object) =>
  readKucoinClosed({ code: '200000', data: { totalPage: 1, items: [row] } }).items[0];

test('an open position, with numbers as plain text and bitcoin under its usual name', () => {
  const row = readPosition(POSITION);
  expect(row && toKucoinPosition(row, LINEAR)).toEqual({
    symbol: 'BTCUSDT',
    venueSymbol: 'XBTUSDTM',
    side: 'short',
    contracts: '0.125',
    entryPrice: '64321.7',
    markPrice: '64000.12',
    leverage: '5',
    liquidationPrice: '80100.5',
    unrealizedPnl: '40.1975',
    openedAt: 1_700_000_000_111,
  });
});

test('it agrees with ccxt, which counts contracts and puts the real leverage first', async () => {
  const ccxt = await createUnifiedParsers('kucoin', MARKET);
  expect(ccxt.parsePosition(POSITION)).toMatchObject({
    side: 'short',
    contracts: 125,
    contractSize: 0.001,
    entryPrice: 64321.7,
    markPrice: 64000.12,
    leverage: 4.87,
    liquidationPrice: 80100.5,
    unrealizedPnl: 40.1975,
  });
});

test('small and large numbers never get an exponent', () => {
  const row = readPosition({ ...POSITION, unrealisedPnl: -1.5e-9, markPrice: 1e21 });
  expect(row && toKucoinPosition(row, LINEAR)).toMatchObject({
    unrealizedPnl: '-0.0000000015',
    markPrice: '1000000000000000000000',
  });
});

test('a closed position; ccxt leaves out when it was closed but for the last update', async () => {
  const row = readClosed(CLOSED);
  expect(row && toKucoinClosed(row, LINEAR)).toEqual({
    venueId: '500000000036305465',
    symbol: 'BTCUSDT',
    side: 'long',
    entryPrice: '93859.8',
    exitPrice: '94443.5',
    leverage: '1.0',
    contracts: null,
    closedPnl: '0.51214413',
    feesIncluded: true,
    openedAt: 1_735_549_162_120,
    closedAt: 1_735_589_352_069,
  });
  const ccxt = await createUnifiedParsers('kucoin', MARKET);
  expect(ccxt.parsePosition(CLOSED)).toMatchObject({
    side: 'long',
    lastUpdateTimestamp: 1_735_589_352_069,
    entryPrice: 93859.8,
  });
});

test('a liquidation has its side in its type and no prices', () => {
  const row = readClosed({
    ...CLOSED,
    type: 'LIQUID_SHORT',
    side: null,
    leverage: '0.0',
    openPrice: null,
    closePrice: null,
  });
  expect(row && toKucoinClosed(row, undefined)).toMatchObject({
    symbol: 'BTCUSDT',
    side: 'short',
    entryPrice: null,
    exitPrice: null,
    leverage: null,
  });
});

test('profit in bitcoin is converted to USD', () => {
  const row = readClosed({
    ...CLOSED,
    symbol: 'XBTUSDM',
    settleCurrency: 'XBT',
    closeSize: '5000',
    pnl: '0.01',
    openPrice: '40000',
    closePrice: '50000',
  });
  const inverse = {
    symbol: 'BTCUSD',
    base: 'XBT',
    quote: 'USD',
    settles: 'XBT',
    value: '1',
    isInverse: true,
  };
  expect(row && toKucoinClosed(row, inverse)).toMatchObject({
    symbol: 'BTCUSD',
    closedPnl: '500',
    contracts: '0.125',
  });
});

test('contracts and symbols', () => {
  const contract = {
    symbol: 'XBTUSDTM',
    baseCurrency: 'XBT',
    quoteCurrency: 'USDT',
    settleCurrency: 'USDT',
    multiplier: 0.001,
    isInverse: false,
  };
  expect(readKucoinContracts({ data: [contract] }).get('XBTUSDTM')).toEqual(LINEAR);
  expect(readKucoinContracts({ data: [{ ...contract, multiplier: -1 }] }).get('XBTUSDTM')?.value).toBe('1');
  expect(readKucoinContracts({ data: [{ ...contract, multiplier: null }, {}] }).size).toBe(0);
  const symbols = ['XBTUSDTM', 'XBTUSDCM', 'XBTUSDM', 'XBTMH26', 'ETHUSDTM', 'XMRUSDTM', 'XBTUSDTMH26'];
  expect(symbols.map((symbol) => readKucoinSymbol(symbol).symbol)).toEqual([
    'BTCUSDT',
    'BTCUSDC',
    'BTCUSD',
    'BTCUSD',
    'ETHUSDT',
    'XMRUSDT',
    'BTCUSDT',
  ]);
});

test('coin profit is valued at the closing price, for listed and delisted contracts', () => {
  const eth = { ...CLOSED, symbol: 'ETHUSDM', settleCurrency: 'ETH', pnl: '0.5', closePrice: '3000' };
  const contract = {
    ...LINEAR,
    symbol: 'ETHUSD',
    base: 'ETH',
    quote: 'USD',
    settles: 'ETH',
    isInverse: true,
  };
  for (const known of [contract, undefined]) {
    const row = readClosed(eth);
    expect(row && toKucoinClosed(row, known)).toMatchObject({ symbol: 'ETHUSD', closedPnl: '1500' });
  }
});

test.each([
  ['a liquidation at price 0', { settleCurrency: 'XBT', symbol: 'XBTUSDM', closePrice: '0' }],
  ['a liquidation without a price', { settleCurrency: 'XBT', symbol: 'XBTUSDM', closePrice: null }],
  ['another coin than the base', { settleCurrency: 'XBT', symbol: 'ETHUSDM' }],
  ['a price in a coin', { settleCurrency: 'XBT', symbol: 'XBTETHM' }],
  ['a currency that is none of ours', { settleCurrency: 'EUR' }],
])('the profit stays unknown: %s', (_, changes) => {
  const row = readClosed({ ...CLOSED, type: 'LIQUID_LONG', pnl: '0.1', ...changes });
  expect(row && toKucoinClosed(row, undefined).closedPnl).toBeNull();
});

test('open profit comes in the settlement currency', () => {
  const inverse = { ...LINEAR, symbol: 'ETHUSD', base: 'ETH', quote: 'USD', settles: 'ETH', isInverse: true };
  const held = { ...POSITION, symbol: 'ETHUSDM', settleCurrency: 'ETH', unrealisedPnl: 0.5, markPrice: 3000 };
  const pnlOf = (row: object) => {
    const read = readPosition(row);
    return read && toKucoinPosition(read, inverse).unrealizedPnl;
  };
  expect(pnlOf(held)).toBe('1500');
  expect(pnlOf({ ...held, markPrice: 0 })).toBeNull();
  expect(pnlOf({ ...held, settleCurrency: 'USDT' })).toBeNull();
});

test.each([
  ['General,Futures', false],
  ['General, InnerTransfer', false],
  ['General,Transfer', true],
  ['General,Withdrawal', true],
])('a key with %s may withdraw: %s', (permission, mayWithdraw) => {
  const data = { uid: 165111215, permission, apiKey: 'x' };
  expect(readKucoinIdentity({ data })).toEqual({ accUid: '165111215', accountType: null, mayWithdraw });
});

test('addresses of a key', () => {
  const data = { uid: '1', permission: 'General', ipWhitelist: '203.0.113.4,203.0.113.5', isMaster: true };
  expect(readKucoinKeyInfo({ data })).toEqual({
    isSupported: true,
    isRestricted: true,
    ips: ['203.0.113.4', '203.0.113.5'],
    accountType: 'master',
  });
  expect(readKucoinKeyInfo({ data: { ...data, ipWhitelist: '', isMaster: false } })).toMatchObject({
    isRestricted: false,
    ips: [],
    accountType: 'subaccount',
  });
});

test('equity comes as a number', () => {
  expect(readKucoinEquity({ data: { accountEquity: 394.439280806, currency: 'USDT' } })).toBe(
    '394.439280806',
  );
  expect(() => readKucoinEquity({ data: {} })).toThrow('bad_response');
  expect(() => readKucoinEquity({ data: { accountEquity: 1, currency: 'XBT' } }, 'USDT')).toThrow(
    'bad_response',
  );
  expect(() => readKucoinMarkPrice({ data: { value: 0 } })).toThrow('bad_response');
});
