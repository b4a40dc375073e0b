import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  amount,
  expectFigure,
  expectRead,
  NOW,
  price,
  priceKnown,
  RUNS,
  sessionOf,
  sum,
  times,
} from '../../../../../../tests/support/exchanges/generated.ts';
import { GatewayError } from '../gateway.ts';
import { binance } from './binance.ts';

const ASSETS = ['USDT', 'USDC', 'FDUSD', 'BNB', 'BTC', 'EUR'] as const;
const DOLLARS = ['USDT', 'USDC', 'FDUSD'];

const account = fc.record({
  assets: fc.uniqueArray(
    fc.record({
      asset: fc.constantFrom(...ASSETS),
      marginBalance: fc.oneof(amount, fc.constant('0.00000000')),
    }),
    { selector: ({ asset }) => asset },
  ),
  prices: fc.record(Object.fromEntries(ASSETS.map((name) => [name, price]))),
  mode: fc.constantFrom('single', 'multi', 'not told'),
  /** The venue's sum in multi-assets mode. */
  total: amount,
});

test('equity counts every asset, in either mode, or is nothing', async () => {
  await fc.assert(
    fc.asyncProperty(account, async ({ assets, prices, mode, total }) => {
      const held = assets.filter(({ marginBalance }) => Number(marginBalance) !== 0);
      const usdt = held.find(({ asset }) => asset === 'USDT')?.marginBalance ?? '0';
      const others = held.filter(({ asset }) => asset !== 'USDT');
      // A total over several assets that equals one of them shows nothing about the mode.
      fc.pre(mode === 'single' || others.length === 0 || Number(total) !== Number(usdt));
      const isSingle = mode === 'single';
      // In the official example of single-asset mode the total differs from the USDT row: then the reader asks for the
      // mode.
      const totalMarginBalance = isSingle && Number(total) > 0 ? usdt : total;
      const session = sessionOf('binance', (method, params) => {
        if (method.endsWith('Account')) return { totalMarginBalance, assets };
        if (method.endsWith('AccountConfig')) {
          if (mode === 'not told') throw new GatewayError('bad_response');
          return { multiAssetsMargin: mode === 'multi' };
        }
        if (method.endsWith('ApiRestrictions')) return { ipRestrict: false };
        const symbol = String(params.symbol);
        return { symbol, markPrice: prices[symbol.replace(/USDT$/, '')] };
      });
      const parts = held.map(({ asset, marginBalance }) =>
        DOLLARS.includes(asset)
          ? Number(marginBalance)
          : times(Number(marginBalance), priceKnown(prices[asset] ?? '')),
      );
      let truth: number | null = isSingle ? sum(parts) : Number(total);
      if (others.length === 0) truth = Number(totalMarginBalance);
      else if (mode === 'not told') truth = null;
      await expectRead(binance.reader.equityUsd(session), truth !== null, (told) =>
        expectFigure(told, truth),
      );
    }),
    RUNS,
  );
});

/** Contracts, and their payment currency when the venue does not name it. */
const SYMBOLS = { BTCUSDT: true, ETHUSDC: true, BTCUSDT_260327: true, ETHBTC: false, BTCEUR: false };
const position = fc.record({
  contract: fc.constantFrom(...Object.entries(SYMBOLS)),
  paidIn: fc.constantFrom('', 'USDT', 'USDC', 'BNFCR', 'BTC', 'BNB', 'EUR'),
  price,
  pnl: amount,
});
type Position = typeof position extends fc.Arbitrary<infer T> ? T : never;

function pnlOf({ contract: [, isInDollars], paidIn, pnl }: Position): number | null {
  const isDollar = paidIn === '' ? isInDollars : paidIn.startsWith('USD') || paidIn === 'BNFCR';
  return isDollar ? Number(pnl) : null;
}

test('open positions of generated accounts', async () => {
  await fc.assert(
    fc.asyncProperty(position, async (one) => {
      const session = sessionOf('binance', (method) =>
        method.endsWith('SymbolConfig')
          ? []
          : [
              {
                symbol: one.contract[0],
                positionSide: 'BOTH',
                positionAmt: '-1.5',
                entryPrice: '100',
                markPrice: one.price,
                unRealizedProfit: one.pnl,
                marginAsset: one.paidIn,
              },
            ],
      );
      const [told] = await binance.reader.openPositions(session);
      expectFigure(told?.unrealizedPnl, pnlOf(one));
      expectFigure(told?.markPrice, priceKnown(one.price));
    }),
    RUNS,
  );
});

test('closed positions of generated accounts', async () => {
  await fc.assert(
    fc.asyncProperty(position, async (one) => {
      fc.pre(Number(one.pnl) !== 0);
      const [symbol] = one.contract;
      const time = NOW - 5;
      const session = sessionOf('binance', (method) =>
        method.endsWith('Income')
          ? [{ symbol, time, asset: one.paidIn }]
          : [
              {
                symbol,
                orderId: 1,
                side: 'SELL',
                positionSide: 'BOTH',
                price: '100',
                qty: '2',
                realizedPnl: one.pnl,
                time,
              },
            ],
      );
      const range = { sinceMs: NOW - 10, untilMs: NOW };
      const { items } = await binance.reader.closedPositions(session, range, null);
      expect(items).toHaveLength(1);
      expectFigure(items[0]?.closedPnl, pnlOf(one));
    }),
    RUNS,
  );
});
