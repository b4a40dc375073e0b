import * as domain from '@copydesk/domain/trading';
import { inOwnSigns } from './numbers.ts';

// The formats of positions, in the signs that the person chose.
const own =
  (format: (amount: string | null | undefined) => string) =>
  (amount: string | null | undefined): string =>
    inOwnSigns(format(amount));

export const formatPrice = own(domain.formatPrice);
export const formatPnl = own(domain.formatPnl);
export const formatSignedPercent = own(domain.formatSignedPercent);
export const formatLeverage = own(domain.formatLeverage);
export const formatSize = own(domain.formatSize);
export const formatShortPnl = own(domain.formatShortPnl);
