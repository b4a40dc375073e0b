import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  amount,
  expectFigure,
  expectRead,
  price,
  priceKnown,
  RUNS,
  sessionOf,
  size,
  times,
} from '../../../../../../tests/support/exchanges/generated.ts';
import { createBybit } from './bybit.ts';

/** Contracts by the request that lists them, with their payment currency; null: of no documented kind. */
const LINEAR = {
  BTCUSDT: 'USD',
  'ETHUSDT-26DEC25': 'USD',
  ETHPERP: 'USD',
  'BTC-26DEC25': 'USD',
  BTCEUR: null,
};
const INVERSE = { BTCUSD: 'coin', ETHUSDH26: 'coin', BTCEUR: null };

const contract = fc.oneof(
  fc.constantFrom(...Object.entries(LINEAR)).map(([symbol, pays]) => ({ category: 'linear', symbol, pays })),
  fc
    .constantFrom(...Object.entries(INVERSE))
    .map(([symbol, pays]) => ({ category: 'inverse', symbol, pays })),
);
const position = fc.record({
  contract,
  side: fc.constantFrom('Buy', 'Buy', 'Sell', 'Sell', 'None', ''),
  size: fc.oneof(size, fc.constant('0')),
  entry: price,
  price,
  pnl: fc.oneof(amount, fc.constant('')),
});
type Position = typeof position extends fc.Arbitrary<infer T> ? T : never;

const pnlOf = ({ contract: { pays }, pnl, price }: Position): number | null => {
  if (pays === null || pnl === '') return null;
  return pays === 'USD' ? Number(pnl) : times(Number(pnl), priceKnown(price));
};
const sizeOf = ({ contract: { category }, size, entry }: Position): number | null => {
  if (category === 'linear') return Number(size);
  const known = priceKnown(entry);
  return known === null ? null : Number((Number(size) / known).toPrecision(12));
};

test('open positions of generated accounts', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(position, { maxLength: 5 }), async (all) => {
      const session = sessionOf('bybit', (_method, { category, settleCoin }) => ({
        result: {
          list: all
            .map((one, positionIdx) => ({ ...one, positionIdx }))
            .filter((one) => one.contract.category === category && settleCoin !== 'USDC')
            .map((one) => ({
              symbol: one.contract.symbol,
              positionIdx: one.positionIdx,
              side: one.side,
              size: one.size,
              avgPrice: one.entry,
              markPrice: one.price,
              positionValue: '',
              leverage: '',
              liqPrice: '',
              unrealisedPnl: one.pnl,
            })),
          nextPageCursor: '',
        },
      }));
      const held = all.filter((one) => Number(one.size) !== 0);
      const isKnown = held.every(
        (one) => ['Buy', 'Sell'].includes(one.side) && priceKnown(one.entry) !== null,
      );
      const order = [...held].sort((a, b) => b.contract.category.localeCompare(a.contract.category));
      await expectRead(createBybit().reader.openPositions(session), isKnown, (told) => {
        expect(told).toHaveLength(held.length);
        for (const [nth, one] of order.entries()) {
          expectFigure(told[nth]?.unrealizedPnl, pnlOf(one));
          expectFigure(told[nth]?.contracts, sizeOf(one));
          expect(told[nth]?.side).toBe(one.side === 'Buy' ? 'long' : 'short');
        }
      });
    }),
    RUNS,
  );
});

test('closed positions of generated accounts', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(position, { maxLength: 5 }), async (all) => {
      const rows = all
        .map((one) => ({ ...one, pnl: one.pnl || '1' }))
        .filter((one) => one.contract.category === 'linear');
      const coins = all.map((one) => ({ ...one, pnl: one.pnl || '1' }));
      const session = sessionOf('bybit', (_method, { category }) => ({
        result: {
          list: (category === 'linear' ? rows : coins.filter((one) => !rows.includes(one)))
            .filter((one) => one.contract.category === category)
            .map((one, nth) => ({
              symbol: one.contract.symbol,
              orderId: `o${nth}`,
              side: 'Sell',
              closedSize: one.size,
              avgEntryPrice: one.entry,
              avgExitPrice: one.price,
              closedPnl: one.pnl,
              leverage: '',
              updatedTime: '1799999000000',
            })),
          nextPageCursor: '',
        },
      }));
      const range = { sinceMs: 1_799_999_000_000, untilMs: 1_799_999_000_001 };
      for (const category of ['linear', 'inverse'] as const) {
        const wanted = coins.filter((one) => one.contract.category === category);
        const first = await createBybit().reader.closedPositions(session, range, null);
        const page =
          category === 'linear'
            ? first
            : await createBybit().reader.closedPositions(session, range, first.nextCursor as string);
        expect(page.items).toHaveLength(wanted.length);
        for (const [nth, one] of wanted.entries()) {
          expectFigure(page.items[nth]?.closedPnl, pnlOf(one));
          expectFigure(page.items[nth]?.contracts, sizeOf(one));
        }
      }
    }),
    RUNS,
  );
});

test('equity, by generated wallets', async () => {
  const wallet = fc.record({
    accountType: fc.constantFrom('UNIFIED', 'CONTRACT', 'SPOT'),
    totalEquity: fc.oneof(amount, fc.constant('')),
  });
  await fc.assert(
    fc.asyncProperty(wallet, async (one) => {
      const session = sessionOf('bybit', (method) => ({
        result: method.endsWith('AccountInfo') ? { unifiedMarginStatus: 6 } : { list: [one] },
      }));
      const isKnown = one.accountType === 'UNIFIED' && one.totalEquity !== '';
      await expectRead(createBybit().reader.equityUsd(session), isKnown, (told) =>
        expectFigure(told, Number(one.totalEquity)),
      );
    }),
    RUNS,
  );
});
