import { sumDecimals } from '@copydesk/domain/money';
import { formatCount, formatWholeUsd } from './numbers.ts';

export interface AumSums {
  /** USD, decimal strings. */
  total_aum: string;
  pool_capital: string;
  /** Accounts that the sum leaves out, because they were not read yet. */
  unread_accounts?: number;
}

/** What an AUM is made of, and what it leaves out. */
export function aumWords({ total_aum, pool_capital, unread_accounts = 0 }: AumSums): string {
  const accounts = sumDecimals([total_aum, `-${pool_capital}`]);
  return [
    `Exchange accounts, each as last read: ${formatWholeUsd(accounts)}.`,
    `Pool capital: ${formatWholeUsd(pool_capital)}.`,
    unread_accounts > 0 && `${unreadWords(unread_accounts)}.`,
  ]
    .filter(Boolean)
    .join(' ');
}

export const unreadWords = (count: number) =>
  count === 1
    ? '1 account that was not read yet is left out'
    : `${formatCount(count)} accounts that were not read yet are left out`;

/** The sums of several communities together. */
export const addSums = (sums: readonly Partial<AumSums>[]): Required<AumSums> => ({
  total_aum: sumDecimals(sums.map(({ total_aum = '0' }) => total_aum)),
  pool_capital: sumDecimals(sums.map(({ pool_capital = '0' }) => pool_capital)),
  unread_accounts: sums.reduce((sum, { unread_accounts = 0 }) => sum + unread_accounts, 0),
});

/** Why the AUM of a trader is a part. */
export const PART_OF_AUM = 'Other providers have accounts of this trader too. The balance is your part.';
