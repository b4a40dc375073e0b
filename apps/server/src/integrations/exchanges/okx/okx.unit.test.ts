import { expect, test } from 'vitest';
import { createUnifiedParsers } from '../../../../../../tests/support/exchanges/ccxt-unified.ts';
import { readOkxEquity, readOkxIdentity, readOkxKeyInfo } from './okx-account.ts';
import { isOkxClosed, readOkxClosedRows, toOkxClosed } from './okx-closed.ts';
import { readOkxContracts } from './okx-contracts.ts';
import { readOkxPositionRows, toOkxPosition } from './okx-positions.ts';
import { okxSymbol } from './okx-symbol.ts';

const MARKET = {
  id: 'BTC-USDT-SWAP',
  symbol: 'BTC/USDT:USDT',
  base: 'BTC',
  quote: 'USDT',
  contractSize: 0.01,
};
const LINEAR = { value: '0.01', isInverse: false };

/** Fields of https://www.okx.com/docs-v5/en/#trading-account-rest-api-get-positions */
const POSITION = {
  instType: 'SWAP',
  instId: 'BTC-USDT-SWAP',
  posSide: 'net',
  pos: '-37',
  avgPx: '64210.4',
  markPx: '63999.9',
  lever: '7',
  liqPx: '71021.6631',
  upl: '77.885',
  uplRatio: '0.02',
  notionalUsd: '23679.96',
  mgnMode: 'cross',
  ccy: 'USDT',
  cTime: '1700000000111',
  uTime: '1700000000999',
};

/** Fields of https://www.okx.com/docs-v5/en/#trading-account-rest-api-get-positions-history */
const CLOSED = {
  instType: 'SWAP',
  instId: 'BTC-USDT-SWAP',
  type: '2',
  posId: '681423155054862336',
  posSide: 'net',
  direction: 'short',
  openAvgPx: '64210.4',
  closeAvgPx: '63111.1',
  openMaxPos: '40',
  closeTotalPos: '55',
  pnl: '604.615',
  fee: '-12.5',
  fundingFee: '-1.115',
  realizedPnl: '591.0000000000535393',
  lever: '7.0',
  cTime: '1700000000111',
  uTime: '1700003600222',
};

const readClosed = (row: object) => readOkxClosedRows({ code: '0', data: [row] })[0];

test('an open position in net mode has its side in the sign, and its size in coins', () => {
  const [row] = readOkxPositionRows({ code: '0', data: [POSITION] });
  expect(row && toOkxPosition(row, LINEAR)).toEqual({
    symbol: 'BTCUSDT',
    venueSymbol: 'BTC-USDT-SWAP',
    side: 'short',
    contracts: '0.37',
    entryPrice: '64210.4',
    markPrice: '63999.9',
    leverage: '7',
    liquidationPrice: '71021.6631',
    unrealizedPnl: '77.885',
    openedAt: 1_700_000_000_111,
  });
});

test('it agrees with ccxt, which counts contracts', async () => {
  const ccxt = await createUnifiedParsers('okx', MARKET);
  expect(ccxt.parsePosition(POSITION)).toMatchObject({
    side: 'short',
    contracts: 37,
    contractSize: 0.01,
    entryPrice: 64210.4,
    markPrice: 63999.9,
    leverage: 7,
    liquidationPrice: 71021.6631,
    unrealizedPnl: 77.885,
  });
});

test('a closed position keeps its direction and every digit, where ccxt says net and rounds', async () => {
  const row = readClosed(CLOSED);
  expect(row && toOkxClosed(row, LINEAR)).toEqual({
    venueId: '681423155054862336:1700003600222',
    symbol: 'BTCUSDT',
    side: 'short',
    entryPrice: '64210.4',
    exitPrice: '63111.1',
    leverage: '7.0',
    contracts: '0.55',
    closedPnl: '591.0000000000535393',
    feesIncluded: true,
    openedAt: 1_700_000_000_111,
    closedAt: 1_700_003_600_222,
  });
  const ccxt = await createUnifiedParsers('okx', MARKET);
  const theirs = ccxt.parsePosition(CLOSED);
  expect(theirs).toMatchObject({ side: 'net', entryPrice: 64210.4, leverage: 7 });
  expect(String(theirs.realizedPnl)).not.toBe('591.0000000000535393');
});

test.each([
  ['1', false],
  ['2', true],
  ['3', true],
  ['4', false],
  ['5', false],
  ['6', true],
])('a row whose last close was of type %s is the end of the position: %s', (type, isEnd) => {
  const row = readClosed({ ...CLOSED, type });
  expect(row && isOkxClosed(row)).toBe(isEnd);
});

test('spot margin and options are left out', () => {
  expect(readOkxPositionRows({ data: [{ ...POSITION, instType: 'MARGIN' }] })).toEqual([]);
  expect(readOkxPositionRows({ data: [{ ...POSITION, pos: '' }] })).toEqual([]);
  const option = readClosed({ ...CLOSED, instType: 'OPTION' });
  expect(option && isOkxClosed(option)).toBe(false);
});

test('a position in an unlisted contract cannot be sized', () => {
  const [row] = readOkxPositionRows({ data: [POSITION] });
  expect(() => row && toOkxPosition(row, undefined)).toThrow('bad_response');
  const closed = readClosed(CLOSED);
  expect(closed && toOkxClosed(closed, undefined)).toMatchObject({
    contracts: null,
    closedPnl: '591.0000000000535393',
  });
});

test('inverse contracts are converted into coins and USD', () => {
  const inverse = { value: '100', isInverse: true };
  const [row] = readOkxPositionRows({
    data: [
      {
        ...POSITION,
        instId: 'BTC-USD-SWAP',
        ccy: 'BTC',
        pos: '10',
        avgPx: '50000',
        markPx: '60000',
        upl: '0.003',
      },
    ],
  });
  expect(row && toOkxPosition(row, inverse)).toMatchObject({
    side: 'long',
    contracts: '0.02',
    unrealizedPnl: '180',
  });
});

test('contracts', () => {
  const answer = { data: [{ instId: 'X-USDT-SWAP', ctVal: '10', ctMult: '2', ctType: 'linear' }] };
  expect(readOkxContracts(answer)).toEqual([['X-USDT-SWAP', { value: '20', isInverse: false }]]);
  expect(okxSymbol('BTC-USD-260327')).toBe('BTCUSD');
  expect(okxSymbol('ETH-USD_UM-250328')).toBe('ETHUSD');
  expect(okxSymbol('ETH-USD_UM_XPERP-310404')).toBe('ETHUSD');
});

test('a contract that is not open yet has empty fields and is left out; the others are kept', () => {
  const open = { instId: 'X-USDT-SWAP', ctVal: '10', ctMult: '1', ctType: 'linear' };
  const preopen = { instId: 'Y-USDT-SWAP', ctVal: '', ctMult: '', ctType: '', state: 'preopen' };
  expect(readOkxContracts({ data: [preopen, open, { ...open, instId: 'Z', ctVal: '0' }] })).toEqual([
    ['X-USDT-SWAP', { value: '10', isInverse: false }],
  ]);
});

const pnlOf = (changes: object) => {
  const row = readClosed({ ...CLOSED, realizedPnl: '0.1', closeAvgPx: '60000', ...changes });
  return row && toOkxClosed(row, undefined).closedPnl;
};

test.each([
  ['an expired inverse contract', { instId: 'BTC-USD-250328', ccy: 'BTC' }, '6000'],
  ['the same without a currency in the row', { instId: 'BTC-USD-250328', ccy: '' }, '6000'],
  ['the same without a closing price', { instId: 'BTC-USD-250328', ccy: 'BTC', closeAvgPx: '' }, null],
  ['the same with the price 0', { instId: 'BTC-USD-250328', ccy: 'BTC', closeAvgPx: '0' }, null],
  ['an id and a currency that contradict each other', { instId: 'BTC-USD-250328', ccy: 'USDT' }, null],
  ['the same the other way', { instId: 'BTC-USDT-250328', ccy: 'BTC' }, null],
  ['a contract in dollars of any kind', { instId: 'ETH-USD_UM-250328', ccy: 'USDG' }, '0.1'],
  ['a contract in a currency that is none of ours', { instId: 'BTC-EUR-SWAP', ccy: 'EUR' }, null],
  ['no id of a contract', { instId: 'BTC' }, null],
])('profit on %s', (_, changes, pnl) => {
  expect(pnlOf(changes)).toBe(pnl);
});

test('open profit without a mark price stays unknown', () => {
  const [row] = readOkxPositionRows({
    data: [{ ...POSITION, instId: 'BTC-USD-SWAP', ccy: 'BTC', upl: '0.1', markPx: '0' }],
  });
  expect(row && toOkxPosition(row, { value: '100', isInverse: true }).unrealizedPnl).toBeNull();
});

test('the key', () => {
  const config = {
    uid: '44705892343619584',
    mainUid: '44705892343619584',
    ip: '',
    perm: 'read_only,withdraw,trade',
  };
  expect(readOkxIdentity({ data: [config] })).toEqual({
    accUid: '44705892343619584',
    accountType: 'master',
    mayWithdraw: true,
  });
  expect(readOkxKeyInfo({ data: [config] })).toMatchObject({ isRestricted: false, ips: [] });
  const sub = { ...config, mainUid: '1', ip: '203.0.113.4, 203.0.113.5', perm: 'read_only' };
  expect(readOkxIdentity({ data: [sub] })).toMatchObject({ accountType: 'subaccount', mayWithdraw: false });
  expect(readOkxKeyInfo({ data: [sub] })).toMatchObject({
    isRestricted: true,
    ips: ['203.0.113.4', '203.0.113.5'],
  });
});

test('the equity', () => {
  expect(readOkxEquity({ data: [{ totalEq: '55837.43556134779' }] })).toBe('55837.43556134779');
  expect(() => readOkxEquity({ data: [{ totalEq: '' }] })).toThrow('bad_response');
  expect(() => readOkxEquity({ data: [] })).toThrow('bad_response');
});
