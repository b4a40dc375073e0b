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
  size,
  times,
} from '../../../../../../tests/support/exchanges/generated.ts';
import { createOkx } from './okx.ts';

/** Contracts by id, with their payment currency and the row currencies that agree with it. */
const CONTRACTS: [string, 'USD' | 'BTC' | null, string[]][] = [
  ['BTC-USDT-SWAP', 'USD', ['', 'USDT']],
  ['BTC-USDC-250328', 'USD', ['', 'USDC']],
  ['BTC-USD_UM-SWAP', 'USD', ['', 'USD', 'USDC', 'USDG']],
  ['BTC-USD-SWAP', 'BTC', ['', 'BTC']],
  ['BTC-USD-250328', 'BTC', ['', 'BTC']],
  ['BTC-EUR-SWAP', null, []],
  ['BTC', null, []],
];
const position = fc.record({
  contract: fc.constantFrom(...CONTRACTS),
  ccy: fc.constantFrom('', 'USDT', 'USDC', 'USDG', 'USD', 'BTC', 'ETH', 'EUR'),
  /** The contract's state in the venue's present list. */
  listed: fc.constantFrom('as it is', 'not', 'empty', 'as the other kind'),
  entry: price,
  price,
  size,
  pnl: amount,
});
type Position = typeof position extends fc.Arbitrary<infer T> ? T : never;

const isDollar = (currency: string) => currency.startsWith('USD');
function pnlOf({ contract: [, pays, agreeing], ccy, pnl, price }: Position): number | null {
  if (pays === null) return null;
  if (pays === 'USD') return ccy === '' || isDollar(ccy) ? Number(pnl) : null;
  return agreeing.includes(ccy) ? times(Number(pnl), priceKnown(price)) : null;
}

function sizeOf({ contract: [, pays], listed, size, entry }: Position): number | null {
  const known = priceKnown(entry);
  if (listed !== 'as it is' || known === null) return null;
  return pays === 'BTC' ? Number(((Number(size) * 100) / known).toPrecision(12)) : Number(size) * 100;
}

function listing({ contract: [instId, pays], listed }: Position) {
  if (listed === 'not') return [];
  if (listed === 'empty') return [{ instId, ctVal: '', ctMult: '', ctType: '' }];
  const isInverse = (pays === 'BTC') === (listed === 'as it is');
  return [{ instId, ctVal: '10', ctMult: '10', ctType: isInverse ? 'inverse' : 'linear' }];
}

const rowOf = (one: Position) => ({ instId: one.contract[0], instType: 'SWAP', ccy: one.ccy, lever: '' });

test('closed positions of generated accounts', async () => {
  await fc.assert(
    fc.asyncProperty(position, async (one) => {
      const session = sessionOf('okx', (method) => ({
        data: method.startsWith('public')
          ? listing(one)
          : [
              {
                ...rowOf(one),
                type: '2',
                posId: '1',
                direction: 'long',
                openAvgPx: one.entry,
                closeAvgPx: one.price,
                closeTotalPos: one.size,
                realizedPnl: one.pnl,
                cTime: '1',
                uTime: String(NOW - 5),
              },
            ],
      }));
      const range = { sinceMs: NOW - 10, untilMs: NOW };
      const { items } = await createOkx().reader.closedPositions(session, range, null);
      expect(items).toHaveLength(1);
      expectFigure(items[0]?.closedPnl, pnlOf(one));
      expectFigure(items[0]?.contracts, sizeOf(one));
    }),
    RUNS,
  );
});

test('open positions of generated accounts', async () => {
  await fc.assert(
    fc.asyncProperty(position, fc.boolean(), async (one, isEmpty) => {
      const session = sessionOf('okx', (method) => ({
        data: method.startsWith('public')
          ? listing(one)
          : [
              {
                ...rowOf(one),
                posSide: 'net',
                pos: one.size,
                avgPx: one.entry,
                markPx: one.price,
                liqPx: '',
                upl: isEmpty ? '' : one.pnl,
              },
            ],
      }));
      const isKnown = sizeOf(one) !== null;
      await expectRead(createOkx().reader.openPositions(session), isKnown, ([told]) => {
        expectFigure(told?.unrealizedPnl, isEmpty ? null : pnlOf(one));
        expectFigure(told?.contracts, sizeOf(one));
      });
    }),
    RUNS,
  );
});
