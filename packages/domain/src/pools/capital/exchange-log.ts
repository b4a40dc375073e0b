/**
 * Types of Bybit's transaction log by which trading changes the wallet: fills with their fees, funding, delivery,
 * liquidation, deleveraging, and refunds of trading fees. Every other type is not on the list, above all loans, earn
 * products, bonuses, conversions and interest: their money is not the result of trading.
 * https://bybit-exchange.github.io/docs/v5/enum#typeuta-translog
 */
const TRADING_TYPES: ReadonlySet<string> = new Set([
  'TRADE',
  'SETTLEMENT',
  'DELIVERY',
  'LIQUIDATION',
  'ADL',
  'FEE_REFUND',
]);

/**
 * Moves between the account's own wallets, which change no sum of both. Exact names: `TRANSFER_IN_INS_LOAN` is the money
 * of a lender.
 */
const MOVING_TYPES: ReadonlySet<string> = new Set(['TRANSFER_IN', 'TRANSFER_OUT']);

/** The sum of a log type that is neither trading nor a move. Base units. */
export interface ForeignSum {
  type: string;
  units: bigint;
}

/** The exchange's log of a cycle. Base units. */
export interface SortedLog {
  tradedUnits: bigint;
  /** By type; a type whose entries cancel out is listed as well. */
  foreign: ForeignSum[];
}

/** @param byType sums of the log's changes by the venue's type */
export function sortLog(byType: Readonly<Record<string, bigint>>): SortedLog {
  const sums = Object.entries(byType);
  const foreign = sums
    .filter(([type]) => !TRADING_TYPES.has(type) && !MOVING_TYPES.has(type))
    .map(([type, units]) => ({ type, units }));
  // Stryker disable next-line EqualityOperator: a type has one sum.
  foreign.sort((a, b) => (a.type < b.type ? -1 : 1));
  return {
    tradedUnits: sums.reduce((sum, [type, units]) => (TRADING_TYPES.has(type) ? sum + units : sum), 0n),
    foreign,
  };
}
