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
import { createKucoin } from './kucoin.ts';

const CURRENCIES = ['USDT', 'USDC', 'XBT', 'ETH', 'SOL', 'EUR'] as const;
/** Contracts by symbol, with the coin whose dollar price is theirs; null: a price in another currency. */
const CONTRACTS = [
  { symbol: 'XBTUSDTM', base: 'XBT', quote: 'USDT', isInverse: false, pricesIn: 'XBT' },
  { symbol: 'XBTUSDM', base: 'XBT', quote: 'USD', isInverse: true, pricesIn: 'XBT' },
  { symbol: 'ETHUSDM', base: 'ETH', quote: 'USD', isInverse: true, pricesIn: 'ETH' },
  { symbol: 'ETHXBTM', base: 'ETH', quote: 'XBT', isInverse: false, pricesIn: null },
] as const;

const position = fc.record({
  contract: fc.constantFrom(...CONTRACTS),
  settles: fc.constantFrom(...CURRENCIES),
  isListed: fc.boolean(),
  entry: price,
  price,
  pnl: amount,
});
type Position = typeof position extends fc.Arbitrary<infer T> ? T : never;

function pnlOf({ contract, settles, pnl, price }: Position): number | null {
  if (settles.startsWith('USD')) return Number(pnl);
  return settles === contract.pricesIn ? times(Number(pnl), priceKnown(price)) : null;
}

const listing = ({ contract: { symbol, base, quote, isInverse }, settles }: Position) =>
  listed({ symbol, base, quote, settles, isInverse });

const listed = (of: {
  symbol: string;
  base: string;
  quote: string;
  settles: string;
  isInverse: boolean;
}) => ({
  symbol: of.symbol,
  baseCurrency: of.base,
  quoteCurrency: of.quote,
  settleCurrency: of.settles,
  multiplier: of.isInverse ? -1 : 0.001,
  isInverse: of.isInverse,
});

test('closed positions of generated accounts', async () => {
  await fc.assert(
    fc.asyncProperty(position, async (one) => {
      const session = sessionOf('kucoin', (method) =>
        method.startsWith('futuresPublic')
          ? { data: one.isListed ? [listing(one), { symbol: 'NEWUSDTM', multiplier: null }] : [] }
          : {
              data: {
                totalPage: 1,
                items: [
                  {
                    closeId: '1',
                    symbol: one.contract.symbol,
                    settleCurrency: one.settles,
                    type: 'LIQUID_LONG',
                    pnl: one.pnl,
                    openPrice: one.entry,
                    closePrice: one.price,
                    closeTime: NOW - 5,
                  },
                ],
              },
            },
      );
      const range = { sinceMs: NOW - 10, untilMs: NOW };
      const { items } = await createKucoin().reader.closedPositions(session, range, null);
      expect(items).toHaveLength(1);
      expectFigure(items[0]?.closedPnl, pnlOf(one));
    }),
    RUNS,
  );
});

test('open positions of generated accounts', async () => {
  await fc.assert(
    fc.asyncProperty(position, fc.constantFrom('same', 'other', 'none'), async (one, said) => {
      const settleCurrency = { same: one.settles, other: 'DOT', none: '' }[said];
      const session = sessionOf('kucoin', (method) => ({
        data: method.endsWith('AccountMode')
          ? { selfAccountMode: 'CLASSIC' }
          : method.startsWith('futuresPublic')
            ? one.isListed
              ? [listing(one)]
              : []
            : [
                {
                  symbol: one.contract.symbol,
                  isOpen: true,
                  currentQty: 2_000,
                  avgEntryPrice: one.entry,
                  markPrice: one.price,
                  unrealisedPnl: Number(one.pnl),
                  settleCurrency,
                },
              ],
      }));
      const entry = priceKnown(one.entry);
      await expectRead(
        createKucoin().reader.openPositions(session),
        one.isListed && entry !== null,
        ([told]) => {
          expectFigure(told?.unrealizedPnl, said === 'other' ? null : pnlOf(one));
          const coins = one.contract.isInverse ? Number((2_000 / Number(entry)).toPrecision(12)) : 2;
          expectFigure(told?.contracts, coins);
        },
      );
    }),
    RUNS,
  );
});

const account = fc.record({
  balances: fc.record(
    Object.fromEntries(CURRENCIES.map((name) => [name, fc.oneof(amount, fc.constant('0'))])),
  ),
  prices: fc.record(Object.fromEntries(CURRENCIES.map((name) => [name, price]))),
  settling: fc.subarray([...CURRENCIES]),
});

test('equity is the sum over all currencies that contracts settle in, or nothing', async () => {
  await fc.assert(
    fc.asyncProperty(account, async ({ balances, prices, settling }) => {
      const session = sessionOf('kucoin', (method, params) => {
        if (method.endsWith('ContractsActive'))
          return {
            data: settling.map((settles) =>
              listed({ symbol: `${settles}X`, base: 'XBT', quote: 'USDT', settles, isInverse: false }),
            ),
          };
        if (method.endsWith('AccountMode')) return { data: { selfAccountMode: 'CLASSIC' } };
        if (method.endsWith('MarkPriceSymbolCurrent'))
          return { data: { value: prices[String(params.symbol).replace(/USDTM$/, '')] } };
        return { data: { accountEquity: balances[String(params.currency)], currency: params.currency } };
      });
      const asked = new Set(['USDT', 'USDC', 'XBT', ...settling]);
      const truth = sum(
        [...asked].map((name) => {
          const held = Number(balances[name]);
          if (name.startsWith('USD') || held === 0) return held;
          return times(held, priceKnown(prices[name] ?? ''));
        }),
      );
      await expectRead(createKucoin().reader.equityUsd(session), truth !== null, (told) =>
        expectFigure(told, truth),
      );
    }),
    RUNS,
  );
});
