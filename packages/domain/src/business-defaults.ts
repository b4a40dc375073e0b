/**
 * Every business default in one place. Where a community or provider carries its own setting, that wins.
 * Shares are decimal strings so that no rule ever computes money in floating point.
 */
export const BUSINESS_DEFAULTS = {
  /** Part of the profit of profitable closed positions that is invoiced. */
  commissionRate: '0.50',
  /** Days from an invoice's creation to its due date. */
  invoiceDueDays: 3,
  /** Provider share of an invoice whose provider is unknown. */
  unknownProviderShare: '0.70',
  /** Payment split of a newly created provider. */
  providerPaymentSplit: '0.35',
  /** Per cent of an invoice for a community's referrer. */
  communityReferrerPercentage: '1',
  /** Balance, in USDT, that a trader of a community needs. One that is below it is marked, and nothing else happens. */
  communityMinimumBalance: '10000',
} as const;
