import type { InvoicePlan } from '../invoices/invoicing.ts';
import { type PlatformWeights, splitInvoice } from '../invoices/split.ts';
import { BUSINESS_DEFAULTS } from '../settings/business-defaults.ts';

/** Why a sale of a bot was cancelled. */
export const CANCEL_REASONS = ['staff', 'buyer', 'expired'] as const;
export type CancelReason = (typeof CANCEL_REASONS)[number];

const HOUR_MS = 3_600_000;

/** How a sale is shared. */
export interface SaleTerms {
  platformWeights: PlatformWeights;
  /** The community's part, a percentage as a decimal. */
  communityPercentage: string;
  now: Date;
}

/**
 * Computes the invoice of a plan: the community's part and the platform's, which its recipients share by weight. It has
 * no commission, and no provider takes part.
 * @param amountUnits what the buyer pays, base units of USDT, above zero
 * @throws RangeError when the parts exceed the amount
 */
export function planBotInvoice(
  amountUnits: bigint,
  { platformWeights, communityPercentage, now }: SaleTerms,
): InvoicePlan {
  const split = splitInvoice(amountUnits, {
    providerShare: '0',
    communityPercentage,
    hasCommunityReferrer: false,
    traderReferralPercentage: null,
    platformWeights,
  });
  if (split === null) throw new RangeError('the parts of a sale exceed its amount');
  return {
    amountUnits,
    commissionRate: '0',
    split,
    dueAt: new Date(now.getTime() + BUSINESS_DEFAULTS.botOrderHours * HOUR_MS),
  };
}

/** What decides whether a sale can still change. */
export interface OpenSale {
  status: 'pending' | 'paid' | 'cancelled';
  /** Base units received on chain. */
  paidUnits: bigint;
  hasCoupon: boolean;
}

export type SaleRefusal = 'sale_settled' | 'sale_part_paid' | 'coupon_applied';

/**
 * Why a sale cannot be cancelled; null: it can. A part that was paid keeps it open, because the rest may follow, unless a
 * person makes that part the buyer's credit.
 */
export function refuseCancelling(
  { status, paidUnits }: Omit<OpenSale, 'hasCoupon'>,
  { isPaidToCredit = false }: { isPaidToCredit?: boolean } = {},
): SaleRefusal | null {
  if (status !== 'pending') return 'sale_settled';
  return paidUnits > 0n && !isPaidToCredit ? 'sale_part_paid' : null;
}

/** Why a sale takes no coupon; null: it does. One coupon at most, and only before anything was paid. */
export function refuseCoupon({ hasCoupon, ...sale }: OpenSale): SaleRefusal | null {
  return refuseCancelling(sale) ?? (hasCoupon ? 'coupon_applied' : null);
}
