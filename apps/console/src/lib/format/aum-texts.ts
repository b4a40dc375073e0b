import { formatCount } from './numbers.ts';

export const unreadWords = (count: number) =>
  count === 1
    ? '1 account that was not read yet is left out'
    : `${formatCount(count)} accounts that were not read yet are left out`;

/** Why the AUM of a trader is a part. */
export const PART_OF_AUM = 'Other providers have accounts of this trader too. The balance is your part.';
