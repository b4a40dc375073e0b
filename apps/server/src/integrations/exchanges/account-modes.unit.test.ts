import { readFileSync } from 'node:fs';
import type { Exchange } from '@copydesk/domain/catalogue';
import { expect, test } from 'vitest';
import { sessionOf } from '../../../../../tests/support/exchanges/generated.ts';
import { binance } from './binance/binance.ts';
import { createBybit } from './bybit/bybit.ts';
import { BYBIT_REGIONS } from './bybit/bybit-endpoints.ts';
import { BYBIT_MODES } from './bybit/bybit-mode.ts';
import { GatewayError } from './gateway.ts';
import { createHyperliquid } from './hyperliquid/hyperliquid.ts';
import { HYPERLIQUID_MODES } from './hyperliquid/hyperliquid-equity.ts';
import { createKucoin } from './kucoin/kucoin.ts';
import { KUCOIN_MODES } from './kucoin/kucoin-account.ts';
import { OKX_REGIONS } from './okx/okx-endpoints.ts';

const PAGE = readFileSync(new URL('../../../../../docs/exchange-modes.md', import.meta.url), 'utf8');
const rowsOf = (exchange: Exchange) =>
  PAGE.split('\n').filter((line) => line.startsWith(`| ${exchange.padEnd(2)}`) && line.includes(exchange));

test.each([
  ['bybit', [...Object.keys(BYBIT_MODES), ...Object.values(BYBIT_REGIONS.hosts)]],
  ['okx', Object.values(OKX_REGIONS.hosts)],
  ['kucoin', Object.keys(KUCOIN_MODES)],
  ['hyperliquid', Object.keys(HYPERLIQUID_MODES)],
  ['binance', ['portfolio_margin']],
] as const)('docs/exchange-modes.md has every mode and host of %s', (exchange, names) => {
  const rows = rowsOf(exchange).join('\n');
  for (const name of names) expect(rows, name).toContain(`\`${name}\``);
});

const bybitAccount = (unifiedMarginStatus: unknown, coins: object[] = []) =>
  sessionOf('bybit', (method, { accountType, symbol }) => {
    if (method.endsWith('AccountInfo')) return { result: { unifiedMarginStatus } };
    if (method.endsWith('QueryApi')) return { result: { uta: 1 } };
    if (method.endsWith('Tickers')) return { result: { list: [{ symbol, markPrice: '50000' }] } };
    if (accountType === 'CONTRACT') return { result: { list: [{ accountType, coin: coins }] } };
    return { result: { list: [{ accountType, totalEquity: '1000' }] } };
  });
const equityOf = (...args: Parameters<typeof bybitAccount>) =>
  createBybit().reader.equityUsd(bybitAccount(...args));

test.each([3, 4, '3'])('bybit, status %j: the inverse wallet counts as well', async (status) => {
  const btc = { coin: 'BTC', equity: '0.3', usdValue: '' };
  expect(await equityOf(status, [btc])).toBe('16000');
  expect(await equityOf(status, [{ ...btc, usdValue: '15000' }])).toBe('16000');
  expect(
    await equityOf(status, [
      { ...btc, usdValue: '0' },
      { coin: 'USDT', equity: '5' },
    ]),
  ).toBe('16005');
  expect(await equityOf(status, [])).toBe('1000');
});

test.each([5, 6])('bybit, status %i: the unified wallet is everything', async (status) => {
  expect(await equityOf(status, [{ coin: 'BTC', equity: '9' }])).toBe('1000');
});

test.each([
  [1, 'classic_account'],
  [2, 'unsupported_account_mode'],
  [7, 'unsupported_account_mode'],
  [null, 'bad_response'],
])('bybit, status %j is %s', async (status, code) => {
  await expect(equityOf(status)).rejects.toThrow(code);
});

test('bybit: a coin in the inverse wallet without a price is an error, not a part of the sum', async () => {
  const session = bybitAccount(3, [{ coin: 'BTC', equity: '1', usdValue: '' }]);
  const { callPublic } = session;
  session.callPublic = async (...args) => {
    await callPublic(...args);
    return { result: { list: [{ symbol: 'BTCUSD', markPrice: '0' }] } };
  };
  await expect(createBybit().reader.equityUsd(session)).rejects.toThrow('bad_response');
});

/** Binance, with a key for portfolio margin or not. */
const binanceAccount = (isPortfolio: boolean, isRefused: boolean, keyIsRefused = false) =>
  sessionOf('binance', (method) => {
    if (method.endsWith('ApiRestrictions')) {
      if (keyIsRefused) throw new GatewayError('credentials_or_ip', { venueCode: '-2015' });
      return { ipRestrict: false, enableWithdrawals: false, enablePortfolioMarginTrading: isPortfolio };
    }
    if (isRefused) throw new GatewayError('credentials_or_ip', { venueCode: '-2015' });
    if (method.endsWith('V3GetAccount')) return { totalMarginBalance: '0.00000000', assets: [] };
    return [];
  });
const reads = (session: ReturnType<typeof binanceAccount>) => [
  binance.reader.equityUsd(session),
  binance.reader.openPositions(session),
];

test.each([true, false])(
  'binance in portfolio margin is refused by name; futures refused: %s',
  async (isRefused) => {
    for (const read of reads(binanceAccount(true, isRefused)))
      await expect(read).rejects.toThrow('portfolio_margin');
    await expect(binance.reader.identify(binanceAccount(true, isRefused))).rejects.toThrow(
      'portfolio_margin',
    );
  },
);

test('binance: an empty account of another kind is empty, and a wrong key is a wrong key', async () => {
  const [equity, positions] = reads(binanceAccount(false, false));
  expect(await equity).toBe('0.00000000');
  expect(await positions).toEqual([]);
  for (const keyIsRefused of [true, false])
    for (const read of reads(binanceAccount(false, true, keyIsRefused)))
      await expect(read).rejects.toThrow('credentials_or_ip');
});

const kucoinAccount = (selfAccountMode: unknown, equity = 0) => {
  let asked = 0;
  const session = sessionOf('kucoin', (method, { currency }) => {
    if (method.endsWith('AccountMode')) {
      asked += 1;
      return { data: { selfAccountMode } };
    }
    if (method.endsWith('AccountOverview'))
      return { data: { accountEquity: currency === 'USDT' ? equity : 0, currency } };
    return { data: [] };
  });
  return { session, asked: () => asked };
};

test.each([
  ['UNIFIED', 'kucoin_unified'],
  ['SOMETHING', 'unsupported_account_mode'],
  [null, 'bad_response'],
])('kucoin in mode %j is %s, never 0', async (mode, code) => {
  const { reader } = createKucoin();
  for (const equity of [0, 5])
    await expect(reader.equityUsd(kucoinAccount(mode, equity).session)).rejects.toThrow(code);
  await expect(reader.openPositions(kucoinAccount(mode).session)).rejects.toThrow(code);
});

test('kucoin: the mode of an account with money is asked for once an hour, that of an empty one each time', async () => {
  const { reader } = createKucoin();
  const held = kucoinAccount('CLASSIC', 5);
  for (let nth = 0; nth < 3; nth += 1) expect(await reader.equityUsd(held.session)).toBe('5');
  expect(held.asked()).toBe(1);
  const empty = kucoinAccount('CLASSIC');
  for (let nth = 0; nth < 3; nth += 1) expect(await reader.equityUsd(empty.session)).toBe('0');
  expect(empty.asked()).toBe(3);
});

test('hyperliquid: a mode that is not documented is refused, outcomes in spot count as nothing', async () => {
  const account = (mode: string) =>
    sessionOf('hyperliquid', (_method, { type }) => {
      if (type === 'userAbstraction') return `"${mode}"`;
      if (type === 'perpDexs') return [null];
      if (type === 'spotClearinghouseState')
        return {
          balances: [
            { coin: 'USDC', total: '100' },
            { coin: '+211', total: '33' },
            { coin: '#211', total: '33' },
          ],
        };
      return { marginSummary: { accountValue: '7' }, assetPositions: [] };
    });
  const { reader } = createHyperliquid();
  expect(await reader.equityUsd(account('unifiedAccount'))).toBe('100');
  expect(await reader.equityUsd(account('default'))).toBe('7');
  await expect(reader.equityUsd(account('constructor'))).rejects.toThrow('unsupported_account_mode');
  await expect(reader.equityUsd(account('portfolioMargin'))).rejects.toThrow('unsupported_account_mode');
});
