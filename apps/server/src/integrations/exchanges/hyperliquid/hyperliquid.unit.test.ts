import { expect, test } from 'vitest';
import { createUnifiedParsers } from '../../../../../../tests/support/exchanges/ccxt-unified.ts';
import { AGENT, AGENT_KEY } from '../../../../../../tests/support/exchanges/loopback-venue.ts';
import { accountTypeOf, addressOfKey, isListedAgent, readRole } from './hyperliquid-account.ts';
import { readHyperliquidCollateral } from './hyperliquid-dexes.ts';
import { isClosingFill, readHyperliquidFills, toHyperliquidClosed } from './hyperliquid-fills.ts';
import { hyperliquidPositions, hyperliquidValue, readHyperliquidState } from './hyperliquid-state.ts';

const MARKET = { id: '1', symbol: 'ETH/USDC:USDC', base: 'ETH', quote: 'USDC', contractSize: 1 };

const HELD = {
  type: 'oneWay',
  position: {
    coin: 'ETH',
    szi: '-1.25',
    entryPx: '2986.3',
    positionValue: '3750.125',
    unrealizedPnl: '-17.25',
    liquidationPx: null,
    leverage: { type: 'cross', value: 20 },
    marginUsed: '187.5',
    maxLeverage: 50,
  },
};
const STATE = {
  marginSummary: { accountValue: '13109.482328', totalNtlPos: '3750.125' },
  assetPositions: [HELD, { type: 'oneWay', position: { ...HELD.position, coin: 'BTC', szi: '0.0' } }],
  withdrawable: '1',
  time: 1,
};

const FILL = {
  closedPnl: '0.19343',
  coin: 'ETH',
  crossed: true,
  dir: 'Close Long',
  fee: '0.050062',
  feeToken: 'USDC',
  hash: '0x09',
  oid: 3_929_354_691,
  px: '2381.1',
  side: 'A',
  startPosition: '0.0841',
  sz: '0.0841',
  tid: 128_423_918_764_978,
  time: 1_704_262_888_911,
};

const closed = (...fills: object[]) =>
  readHyperliquidFills(fills).filter(isClosingFill).map(toHyperliquidClosed);

test('equity and positions, with the mark price from the value; ccxt has none', async () => {
  const state = readHyperliquidState(STATE);
  expect(hyperliquidValue(state, 'USDC')).toBe('13109.482328');
  expect(hyperliquidPositions(state, 'USDC')).toEqual([
    {
      symbol: 'ETHUSDC',
      venueSymbol: 'ETH',
      side: 'short',
      contracts: '1.25',
      entryPrice: '2986.3',
      markPrice: '3000.1',
      leverage: '20',
      liquidationPrice: null,
      unrealizedPnl: '-17.25',
      openedAt: null,
    },
  ]);
  const ccxt = await createUnifiedParsers('hyperliquid', MARKET);
  expect(ccxt.parsePosition(HELD)).toMatchObject({
    side: 'short',
    contracts: 1.25,
    entryPrice: 2986.3,
    leverage: 20,
    unrealizedPnl: -17.25,
    markPrice: undefined,
  });
});

test('a closing fill, as ccxt reads it and with the entry price worked out', async () => {
  expect(closed(FILL)).toEqual([
    {
      venueId: '128423918764978',
      symbol: 'ETHUSDC',
      side: 'long',
      entryPrice: '2378.8',
      exitPrice: '2381.1',
      leverage: null,
      contracts: '0.0841',
      closedPnl: '0.19343',
      feesIncluded: false,
      openedAt: null,
      closedAt: 1_704_262_888_911,
    },
  ]);
  const ccxt = await createUnifiedParsers('hyperliquid', MARKET);
  expect(ccxt.parseTrade(FILL)).toMatchObject({
    price: 2381.1,
    amount: 0.0841,
    side: 'sell',
    timestamp: 1_704_262_888_911,
  });
});

test('a fill that turned a short into a long closed only the previous position', () => {
  const flip = {
    ...FILL,
    dir: 'Short > Long',
    side: 'B',
    startPosition: '-2',
    sz: '5',
    px: '100',
    closedPnl: '20',
  };
  expect(closed(flip)).toMatchObject([
    { side: 'short', contracts: '2', exitPrice: '100', entryPrice: '110' },
  ]);
});

test.each([
  ['Open Long', '0.0', 0],
  ['Open Short', '-1', 0],
  ['Buy', '10', 0],
  ['Sell', '10', 0],
  ['Spot Dust Conversion', '10', 0],
  ['Close Short', '-1', 1],
  ['Long > Short', '0.01', 1],
  ['Liquidated Cross Long', '1', 1],
  ['Auto-Deleveraging', '1', 1],
])('%s from %s closes %i positions', (dir, startPosition, count) => {
  expect(closed({ ...FILL, dir, startPosition })).toHaveLength(count);
});

test('contracts of other dexes have their plain name and the collateral of the dex', () => {
  const symbolOf = (feeToken?: string) => closed({ ...FILL, coin: 'xyz:TSLA', feeToken })[0];
  expect(symbolOf('USDC')).toMatchObject({ symbol: 'TSLAUSDC', closedPnl: '0.19343' });
  expect(symbolOf('USDH')).toMatchObject({ symbol: 'TSLAUSDH', closedPnl: '0.19343' });
  expect(symbolOf('HYPE')).toMatchObject({ closedPnl: null });
  expect(symbolOf()).toMatchObject({ symbol: 'TSLAUSD', closedPnl: null });
  expect(closed({ ...FILL, feeToken: undefined })[0]).toMatchObject({ closedPnl: '0.19343' });
});

test('holdings in a collateral of unknown value have no number', () => {
  const state = readHyperliquidState(STATE);
  expect(() => hyperliquidValue(state, null)).toThrow('unsupported_account_mode');
  expect(() => hyperliquidValue(state, 'HYPE')).toThrow('unsupported_account_mode');
  expect(hyperliquidPositions(state, null)).toMatchObject([{ symbol: 'ETHUSD', unrealizedPnl: null }]);
  const empty = readHyperliquidState({
    ...STATE,
    marginSummary: { accountValue: '0.0' },
    assetPositions: [],
  });
  expect(hyperliquidValue(empty, null)).toBe('0.0');
});

test('the collateral of a dex', () => {
  expect(
    [0, 235, 268, 360, 150].map((collateralToken) => readHyperliquidCollateral({ collateralToken })),
  ).toEqual(['USDC', 'USDE', 'USDT0', 'USDH', null]);
  expect(() => readHyperliquidCollateral(null)).toThrow('bad_response');
});

test('the address of a private key', () => {
  expect(addressOfKey(AGENT_KEY)).toBe(AGENT.toLowerCase());
  expect(addressOfKey(AGENT_KEY.slice(2))).toBe(AGENT.toLowerCase());
  for (const wrong of ['', '0x12', `0x${'0'.repeat(64)}`, `0x${'f'.repeat(64)}`, 'not a key'])
    expect(addressOfKey(wrong)).toBeNull();
});

test('agents are good until their time', () => {
  const agents = [
    { name: 'a', address: AGENT, validUntil: 2_000 },
    { name: 'b', address: `0x${'CD'.repeat(20)}`, validUntil: null },
  ];
  expect(isListedAgent(agents, AGENT.toLowerCase(), 1_999)).toBe(true);
  expect(isListedAgent(agents, AGENT.toLowerCase(), 2_000)).toBe(false);
  expect(isListedAgent(agents, `0x${'cd'.repeat(20)}`, 9e15)).toBe(true);
  expect(() => isListedAgent({}, AGENT, 1)).toThrow('bad_response');
});

test('roles', () => {
  expect(accountTypeOf(readRole({ role: 'user' }))).toBe('master');
  expect(accountTypeOf(readRole({ role: 'subAccount', data: { master: AGENT } }))).toBe('subaccount');
  expect(accountTypeOf(readRole({ role: 'vault' }))).toBeNull();
  expect(() => readRole({ role: 'agent' })).toThrow('bad_response');
  expect(() => readRole(null)).toThrow('bad_response');
});
