const wholeDollars = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  maximumFractionDigits: 0,
  roundingMode: 'floor',
});
const raisedDollars = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  maximumFractionDigits: 0,
  roundingMode: 'ceil',
});
const upTo2 = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2, roundingMode: 'floor' });

// Balances are never rounded up: the books do not hold the amount that a screen would show. A decimal string is
// formatted directly, never through a float.

/** A balance in whole dollars, as pool views show it (super-admin spec, section 9). */
export const flooredUsd = (amount: string) => wholeDollars.format(amount as `${number}`);

/** What is still missing, in whole dollars: that much is enough. */
export const raisedUsd = (amount: string) => raisedDollars.format(amount as `${number}`);

/** A balance with up to 2 decimals, as the communities table shows it (super-admin spec, section 9). */
export const flooredTo2 = (amount: string) => upTo2.format(amount as `${number}`);
