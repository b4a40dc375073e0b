import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { NOW, sessionOf } from '../../../../../tests/support/exchanges/generated.ts';
import {
  CREDENTIALS,
  settingsAt,
  startLoopbackVenue,
} from '../../../../../tests/support/exchanges/loopback-venue.ts';
import { mayBinanceWithdraw } from './binance/binance-account.ts';
import { createBybit } from './bybit/bybit.ts';
import { readBybitIdentity } from './bybit/bybit-account.ts';
import { createExchangeGateway } from './create-gateway.ts';
import { createHyperliquid } from './hyperliquid/hyperliquid.ts';
import { hyperliquidMarket } from './hyperliquid/hyperliquid-state.ts';
import { createKucoin } from './kucoin/kucoin.ts';
import { readKucoinIdentity } from './kucoin/kucoin-account.ts';
import { createOkx } from './okx/okx.ts';
import { readOkxIdentity } from './okx/okx-account.ts';

// Rows and accounts that are seldom seen and were once read wrongly, or must go on being read rightly.

const RANGE = { sinceMs: NOW - 1_000, untilMs: NOW };
const bybitKey = (permissions: unknown) =>
  readBybitIdentity({ result: { userID: 1, isMaster: true, permissions } }).mayWithdraw;
const okxKey = (perm: unknown) =>
  readOkxIdentity({ data: [{ uid: '1', mainUid: '1', ip: '', perm }] }).mayWithdraw;
const kucoinKey = (permission: unknown) => readKucoinIdentity({ data: { uid: 1, permission } }).mayWithdraw;
const binanceKey = (enableWithdrawals: unknown) =>
  mayBinanceWithdraw({ ipRestrict: true, enableWithdrawals });

test.each([
  ['bybit', bybitKey({ Wallet: ['AccountTransfer', 'Withdraw'] }), true],
  ['bybit', bybitKey({ Wallet: ['Withdraw', 'SomethingNew'] }), true],
  ['bybit', bybitKey({ Wallet: [] }), false],
  ['bybit', bybitKey({ Wallet: ['AccountTransfer'] }), false],
  ['bybit', bybitKey({ Wallet: ['SomethingNew'] }), null],
  ['bybit', bybitKey({}), null],
  ['bybit', bybitKey({ Wallet: null }), null],
  ['bybit', bybitKey(undefined), null],
  ['binance', binanceKey(true), true],
  ['binance', binanceKey(false), false],
  ['binance', binanceKey(undefined), null],
  ['binance', binanceKey(null), null],
  ['okx', okxKey('read_only,withdraw,trade'), true],
  ['okx', okxKey('read_only, trade'), false],
  ['okx', okxKey('read_only,something_new'), null],
  ['okx', okxKey(''), null],
  ['okx', okxKey(undefined), null],
  ['kucoin', kucoinKey('General,Futures,Transfer'), true],
  ['kucoin', kucoinKey('General, Futures, InnerTransfer'), false],
  ['kucoin', kucoinKey('General,SomethingNew'), null],
  ['kucoin', kucoinKey(''), null],
  ['kucoin', kucoinKey(undefined), null],
] as const)('a key of %s: %j is %j, and unknown is never no', (_exchange, told, known) => {
  expect(told).toBe(known);
});

const FILL = {
  coin: 'ETH',
  px: '10',
  sz: '1',
  side: 'A',
  time: NOW - 5,
  startPosition: '3',
  dir: 'Close Long',
  closedPnl: '2',
  tid: 1,
  oid: 9,
  feeToken: 'USDC',
};
const closedOn = async (fills: object[]) =>
  (
    await createHyperliquid().reader.closedPositions(
      sessionOf('hyperliquid', () => fills),
      RANGE,
      null,
    )
  ).items;

test('hyperliquid: the settlement of an outcome is no closed position, whatever it is called', async () => {
  const outcome = {
    coin: '#211',
    dir: 'Settlement',
    px: '1.0',
    sz: '33.0',
    startPosition: '33.0',
    closedPnl: '22.75',
  };
  for (const dir of ['Settlement', 'Close Long', 'Long > Short', 'Liquidated Cross Long', 'Something new'])
    for (const coin of ['#211', '#59450', '+211', '@107', 'PURR/USDC'])
      expect(await closedOn([{ ...FILL, ...outcome, dir, coin }])).toEqual([]);
  expect(await closedOn([{ ...FILL, ...outcome, coin: '#59450', closedPnl: '-48.5' }])).toEqual([]);
  // The settlement of a perpetual is one, on every dex.
  for (const coin of ['ETH', 'xyz:TSLA'])
    expect(await closedOn([{ ...FILL, coin, dir: 'Settlement' }])).toMatchObject([{ closedPnl: '2' }]);
  // A text that is new: the fill leads towards zero.
  expect(await closedOn([{ ...FILL, dir: 'Something new' }])).toHaveLength(1);
  expect(await closedOn([{ ...FILL, dir: 'Something new', side: 'B' }])).toEqual([]);
});

test('hyperliquid: the kind of a market is in its coin', () => {
  const kinds = ['ETH', 'kPEPE', 'xyz:TSLA', '#211', '+211', '@107', 'PURR/USDC'].map(hyperliquidMarket);
  expect(kinds).toEqual(['perpetual', 'perpetual', 'perpetual', 'outcome', 'outcome', 'spot', 'spot']);
});

test('hyperliquid: an outcome among the positions of an account is none', async () => {
  const position = { entryPx: '1', positionValue: '1', unrealizedPnl: '0', leverage: { value: 1 } };
  const session = sessionOf('hyperliquid', (_method, { type }) =>
    type === 'perpDexs'
      ? [null]
      : {
          marginSummary: { accountValue: '7' },
          assetPositions: ['#211', 'ETH'].map((coin) => ({ position: { ...position, coin, szi: '2' } })),
        },
  );
  const positions = await createHyperliquid().reader.openPositions(session);
  expect(positions.map(({ venueSymbol }) => venueSymbol)).toEqual(['ETH']);
});

test('hyperliquid: three fills of one order in one ms are three closed positions', async () => {
  const fills = [1, 2, 3].map((tid) => ({ ...FILL, tid }));
  expect((await closedOn(fills)).map(({ venueId }) => venueId)).toEqual(['1', '2', '3']);
});

test('hyperliquid: a subaccount in unified mode has its dollars in spot', async () => {
  const session = sessionOf('hyperliquid', (_method, { type }) => {
    if (type === 'userRole') return { role: 'subAccount', data: { master: `0x${'1'.repeat(40)}` } };
    if (type === 'userAbstraction') return '"unifiedAccount"';
    if (type === 'perpDexs') return [null];
    if (type === 'spotClearinghouseState') return { balances: [{ coin: 'USDC', total: '55.5' }] };
    return { marginSummary: { accountValue: '0.0' }, assetPositions: [] };
  });
  const { reader } = createHyperliquid();
  expect(await reader.equityUsd(session)).toBe('55.5');
  expect(await reader.keyInfo(session)).toMatchObject({ accountType: 'subaccount' });
});

test('binance: a symbol in Chinese is signed as it is sent, and read', async () => {
  const symbol = '币安人生USDT';
  const row = { symbol, asset: 'USDT', time: Date.now() - 5_000 };
  const fill = {
    ...row,
    orderId: 1,
    side: 'SELL',
    positionSide: 'BOTH',
    price: '2',
    qty: '1',
    realizedPnl: '1',
  };
  await using venue = await startLoopbackVenue(({ path }) => ({
    body: path.endsWith('income') ? [row] : [fill],
  }));
  const gateway = createExchangeGateway(settingsAt(venue.url), { now: Date.now });
  const account = { key: 'a', credentials: CREDENTIALS.binance };
  const range = { sinceMs: Date.now() - 60_000, untilMs: Date.now() };
  const { items } = await gateway.closedPositions(account, range, { priority: 'interactive' });
  expect(items).toMatchObject([{ symbol, closedPnl: '1' }]);
  const asked = venue.requests.at(-1);
  expect(asked?.query.get('symbol')).toBe(symbol);
  const query = new URLSearchParams(asked?.query);
  const signature = query.get('signature');
  query.delete('signature');
  expect(createHmac('sha256', CREDENTIALS.binance.secretKey).update(query.toString()).digest('hex')).toBe(
    signature,
  );
  await gateway.close();
});

test('okx: a perpetual of the European platform, and isolated beside cross positions of one swap', async () => {
  const european = 'BTC-USD_UM_XPERP-310404';
  const row = { posSide: 'net', pos: '2', avgPx: '100', markPx: '110', upl: '0.2', ccy: 'USDC', lever: '3' };
  const session = sessionOf('okx', (method, { instType }) => {
    if (method.startsWith('public'))
      return {
        data: [
          {
            instId: instType === 'SWAP' ? 'BTC-USDT-SWAP' : european,
            ctVal: '0.01',
            ctMult: '1',
            ctType: 'linear',
          },
        ],
      };
    return {
      data: [
        { ...row, instId: european, instType: 'FUTURES' },
        { ...row, instId: 'BTC-USDT-SWAP', instType: 'SWAP', ccy: 'USDT', mgnMode: 'cross' },
        { ...row, instId: 'BTC-USDT-SWAP', instType: 'SWAP', ccy: 'USDT', mgnMode: 'isolated', pos: '-3' },
      ],
    };
  });
  expect(await createOkx().reader.openPositions(session)).toMatchObject([
    { symbol: 'BTCUSD', venueSymbol: european, side: 'long', contracts: '0.02', unrealizedPnl: '0.2' },
    { symbol: 'BTCUSDT', side: 'long', contracts: '0.02' },
    { symbol: 'BTCUSDT', side: 'short', contracts: '0.03' },
  ]);
});

test('bybit: rows without isReduceOnly, and both sides of a contract in hedge mode', async () => {
  const row = {
    symbol: 'BTCUSDT',
    size: '1',
    avgPrice: '9',
    markPrice: '9',
    leverage: '',
    unrealisedPnl: '0',
  };
  const session = sessionOf('bybit', (_method, { settleCoin }) => ({
    result: {
      list:
        settleCoin === 'USDT'
          ? [
              { ...row, side: 'Buy', positionIdx: 1 },
              { ...row, side: 'Sell', positionIdx: 2 },
            ]
          : [],
      nextPageCursor: '',
    },
  }));
  const positions = await createBybit().reader.openPositions(session);
  expect(positions.map(({ side }) => side)).toEqual(['long', 'short']);
});

test('kucoin: rows with null leverage, and both sides of a contract in hedge mode', async () => {
  const row = {
    symbol: 'XBTUSDTM',
    isOpen: true,
    avgEntryPrice: 9,
    markPrice: 9,
    leverage: null,
    realLeverage: null,
  };
  const session = sessionOf('kucoin', (method) => {
    if (method.endsWith('AccountMode')) return { data: { selfAccountMode: 'CLASSIC' } };
    if (method.startsWith('futuresPublic'))
      return {
        data: [
          {
            symbol: 'XBTUSDTM',
            baseCurrency: 'XBT',
            quoteCurrency: 'USDT',
            settleCurrency: 'USDT',
            multiplier: 0.001,
            isInverse: false,
          },
        ],
      };
    return {
      data: [
        { ...row, currentQty: 1_000, positionSide: 'LONG' },
        { ...row, currentQty: 1_000, positionSide: 'SHORT' },
        { ...row, currentQty: -1_000, positionSide: 'BOTH' },
      ],
    };
  });
  expect(await createKucoin().reader.openPositions(session)).toMatchObject([
    { side: 'long', leverage: null, contracts: '1' },
    { side: 'short', leverage: null, contracts: '1' },
    { side: 'short', leverage: null, contracts: '1' },
  ]);
});
