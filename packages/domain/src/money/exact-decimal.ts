import { Decimal } from 'decimal.js';

/**
 * Decimals that keep every digit of an amount. The library's default of 20 significant digits rounds an amount
 * with 18 decimals from 100 upwards.
 */
export const ExactDecimal = Decimal.clone({ precision: 100 });
