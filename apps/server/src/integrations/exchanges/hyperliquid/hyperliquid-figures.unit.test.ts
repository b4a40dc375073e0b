import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  amount,
  expectFigure,
  expectRead,
  NOW,
  RUNS,
  sessionOf,
  sum,
} from '../../../../../../tests/support/exchanges/generated.ts';
import { createHyperliquid } from './hyperliquid.ts';

const APART = ['default', 'disabled', 'dexAbstraction'];
const DOLLARS = ['USDC', 'USDH', 'USDT0', 'USDE'];
/** Collateral by its index; 150 is HYPE and 7 is unknown. */
const TOKENS: Record<number, string | null> = {
  0: 'USDC',
  235: 'USDE',
  268: 'USDT0',
  360: 'USDH',
  150: null,
  7: null,
};

const value = fc.oneof(amount, fc.constant('0.0'));
const pnl = amount;
const dex = fc.record({
  value,
  pnl: fc.option(pnl),
  token: fc.constantFrom(...Object.keys(TOKENS).map(Number)),
});
const account = fc.record({
  mode: fc.constantFrom(...APART, 'unifiedAccount', 'portfolioMargin', 'somethingNew'),
  own: fc.record({ value, pnl: fc.option(pnl) }),
  dexes: fc.array(dex, { maxLength: 3 }),
  spot: fc.uniqueArray(
    fc.record({
      coin: fc.constantFrom('USDC', 'USDH', 'HYPE', 'UBTC', '+123'),
      total: value,
      borrowed: fc.constantFrom(undefined, undefined, '0.0', '5.0'),
    }),
    { selector: ({ coin }) => coin },
  ),
});
type Account = typeof account extends fc.Arbitrary<infer T> ? T : never;

const stateOf = (coin: string, held: { value: string; pnl: string | null }) => ({
  marginSummary: { accountValue: held.value },
  assetPositions:
    held.pnl === null
      ? []
      : [
          {
            position: {
              coin,
              szi: '2',
              entryPx: '10',
              positionValue: '22',
              unrealizedPnl: held.pnl,
              liquidationPx: null,
              leverage: { value: 3 },
            },
          },
        ],
});

const venueOf = ({ mode, own, dexes, spot }: Account) =>
  sessionOf('hyperliquid', (_method, { type, dex: name }) => {
    const nth = Number(String(name).slice(1));
    const found = dexes[nth];
    if (type === 'perpDexs') return [null, ...dexes.map((_, place) => ({ name: `d${place}` }))];
    if (type === 'meta') return found ? { collateralToken: found.token } : null;
    if (type === 'userAbstraction') return `"${mode}"`;
    if (type === 'spotClearinghouseState') return { balances: spot };
    return found ? stateOf(`d${nth}:GOLD`, found) : stateOf('ETH', own);
  });

function equityOf({ mode, own, dexes, spot }: Account): number | null {
  const isApart = sum([
    Number(own.value),
    ...dexes.map((one) => (TOKENS[one.token] || Number(one.value) === 0 ? Number(one.value) : null)),
  ]);
  const owes = spot.some(({ borrowed }) => Number(borrowed ?? 0) !== 0);
  if (!owes && spot.every(({ total }) => Number(total) === 0)) return isApart;
  if (APART.includes(mode)) return isApart;
  if (mode === 'somethingNew' || owes) return null;
  const others = spot.filter(({ coin }) => !DOLLARS.includes(coin));
  if (mode === 'portfolioMargin' && others.some(({ total }) => Number(total) !== 0)) return null;
  return sum(spot.filter(({ coin }) => DOLLARS.includes(coin)).map(({ total }) => Number(total)));
}

test('equity is that of the dexes or of spot, as the mode says, or nothing', async () => {
  await fc.assert(
    fc.asyncProperty(account, async (one) => {
      const truth = equityOf(one);
      await expectRead(createHyperliquid().reader.equityUsd(venueOf(one)), truth !== null, (told) =>
        expectFigure(told, truth),
      );
    }),
    RUNS,
  );
});

test('positions on every dex are returned, their profit in dollars or not at all', async () => {
  await fc.assert(
    fc.asyncProperty(account, async (one) => {
      const told = await createHyperliquid().reader.openPositions(venueOf(one));
      const held = [
        ...(one.own.pnl === null ? [] : [{ name: 'ETH', truth: Number(one.own.pnl) }]),
        ...one.dexes.flatMap((each, nth) =>
          each.pnl === null
            ? []
            : [{ name: `d${nth}:GOLD`, truth: TOKENS[each.token] ? Number(each.pnl) : null }],
        ),
      ];
      expect(told.map(({ venueSymbol }) => venueSymbol)).toEqual(held.map(({ name }) => name));
      for (const [nth, { truth }] of held.entries()) expectFigure(told[nth]?.unrealizedPnl, truth);
    }),
    RUNS,
  );
});

test('closed profit is in dollars or unknown', async () => {
  const fill = fc.record({
    coin: fc.constantFrom('ETH', 'xyz:TSLA'),
    feeToken: fc.constantFrom(undefined, '', 'USDC', 'USDH', 'HYPE', 'USDX'),
    pnl,
  });
  await fc.assert(
    fc.asyncProperty(fill, async ({ coin, feeToken, pnl }) => {
      const row = {
        coin,
        px: '10',
        sz: '1',
        side: 'A',
        time: NOW - 5,
        startPosition: '1',
        dir: 'Close Long',
        closedPnl: pnl,
        tid: 1,
        feeToken,
      };
      const range = { sinceMs: NOW - 10, untilMs: NOW };
      const session = sessionOf('hyperliquid', () => [row]);
      const { items } = await createHyperliquid().reader.closedPositions(session, range, null);
      const isInDollars = feeToken ? DOLLARS.includes(feeToken) : coin === 'ETH';
      expectFigure(items[0]?.closedPnl, isInDollars ? Number(pnl) : null);
    }),
    RUNS,
  );
});
