import { sumDecimals } from '../../money/decimals.ts';

/** What a pool has, and what it owes: its accounts in the books, in the order of a statement. */
export const POOL_ASSETS = ['proxy', 'transit', 'exchange', 'shortfall'] as const;
export const POOL_LIABILITIES = ['capital', 'returned', 'fees_due', 'unexplained'] as const;

/** Balances of a pool in USDT, as decimal strings. */
type Balances = Readonly<Record<(typeof POOL_ASSETS)[number] | (typeof POOL_LIABILITIES)[number], string>>;

export interface BalanceSheet {
  assets: string;
  liabilities: string;
  /** Assets less liabilities; 0 as long as the books are right. */
  difference: string;
}

/** Both totals of a pool's books, exactly. */
export function balanceSheet(balances: Balances): BalanceSheet {
  const assets = sumDecimals(POOL_ASSETS.map((line) => balances[line]));
  const liabilities = sumDecimals(POOL_LIABILITIES.map((line) => balances[line]));
  return { assets, liabilities, difference: sumDecimals([assets, negated(liabilities)]) };
}

const negated = (amount: string) => (amount.startsWith('-') ? amount.slice(1) : `-${amount}`);
