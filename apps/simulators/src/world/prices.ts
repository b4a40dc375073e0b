import { rounded } from './amounts.ts';
import { INSTRUMENTS, type Instrument } from './instruments.ts';
import { createRandom, seedOf } from './random.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Period and share of the price. Together about 8 %, most of it over weeks, and 0.03 % within a minute. */
const WAVES = [
  [19 * DAY_MS, 0.036],
  [7.3 * DAY_MS, 0.019],
  [2.1 * DAY_MS, 0.012],
  [9 * HOUR_MS, 0.006],
  [1.7 * HOUR_MS, 0.003],
  [11 * MINUTE_MS, 0.0008],
  [47_000, 0.0003],
] as const;

interface Walk {
  anchor: number;
  waves: { periodMs: number; share: number; phase: number }[];
}

const walks = new Map<string, Walk>(
  INSTRUMENTS.bybit.map(({ base, anchorPrice }) => {
    const random = createRandom(seedOf(`price ${base}`));
    const waves = WAVES.map(([periodMs, share]) => ({
      // Each asset has its own periods, or all would turn at the same time.
      periodMs: periodMs * (0.85 + random.next() * 0.3),
      share,
      phase: random.next() * 2 * Math.PI,
    }));
    return [base, { anchor: anchorPrice, waves }];
  }),
);

/**
 * The price of an asset at a moment: a smooth, stateless walk, the same on all venues.
 * @param symbol BTCUSDT, BTCUSDC or BTC
 * @param ms in ms since 1970
 * @returns USD, not rounded to any venue's tick
 */
export function priceAt(symbol: string, ms: number): number {
  const walk = walks.get(symbol.replace(/USD[TC]$/, ''));
  if (!walk) throw new Error(`No price for ${symbol}`);
  let drift = 0;
  for (const { periodMs, share, phase } of walk.waves)
    drift += share * Math.sin((ms / periodMs) * 2 * Math.PI + phase);
  return walk.anchor * Math.exp(drift);
}

/** The price in its venue's precision. */
export function markPriceAt(instrument: Instrument, ms: number): number {
  return rounded(priceAt(instrument.base, ms), instrument.priceDecimals);
}
