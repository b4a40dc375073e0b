import { ExactDecimal } from '../../money/exact-decimal.ts';
import { type DrawdownPoint, drawdownSeries } from '../../trading/drawdown.ts';

const DECIMALS = 18;

/** A valued cycle. Amounts are base units. */
export interface ValuedCycle {
  cycleNumber: number;
  day: string;
  /** Capital before the result. */
  openingUnits: bigint;
  resultUnits: bigint;
  feeUnits: bigint;
}

export interface IndexPoint extends DrawdownPoint {
  cycleNumber: number;
  /** The unit price after fees; `equity` is the one before them. */
  netPrice: string;
}

/**
 * The unit price of a pool by cycle: 1 at first, then multiplied by the return on the opening capital. Deposits and
 * withdrawals do not move it, so its drawdown is that of the trading. A cycle without capital has no return.
 * @param cycles oldest first
 */
export function indexSeries(cycles: readonly ValuedCycle[]): IndexPoint[] {
  let gross = new ExactDecimal(1);
  let net = new ExactDecimal(1);
  const prices = cycles.map(({ openingUnits, resultUnits, feeUnits, cycleNumber, day }) => {
    if (openingUnits > 0n) {
      gross = grown(gross, openingUnits, resultUnits);
      net = grown(net, openingUnits, resultUnits - feeUnits);
    }
    return { cycleNumber, day, equity: gross.toFixed(), netPrice: net.toFixed() };
  });
  // The price starts at 1, so a first cycle with a loss has a drawdown.
  return drawdownSeries(prices, '1');
}

function grown(price: InstanceType<typeof ExactDecimal>, openingUnits: bigint, resultUnits: bigint) {
  return price
    .times((openingUnits + resultUnits).toString())
    .div(openingUnits.toString())
    .toDecimalPlaces(DECIMALS);
}
