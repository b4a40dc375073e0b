/**
 * Every business default in one place. A setting of a community or provider takes precedence. Shares are decimal
 * strings, so no rule ever computes money in floating point.
 */
export const BUSINESS_DEFAULTS = {
  /** Part of the profit of closed positions that is invoiced. */
  commissionRate: '0.50',
  /** Days from an invoice's creation to its due date. */
  invoiceDueDays: 3,
  /** Least amount of a trader's new invoices, in USDT. */
  minimumInvoice: '1',
  /** Least amount of a payout of a payout run, in USDT. */
  minimumPayout: '1',
  /** Provider share of an invoice whose provider is unknown. */
  unknownProviderShare: '0.70',
  /** Payment split of a newly created provider. */
  providerPaymentSplit: '0.35',
  /** Percentage of an invoice for a community's referrer. */
  communityReferrerPercentage: '1',
  /** Percentage of a sale by a community's bot for the community; the rest is the platform's. */
  botCommunityPercentage: '85',
  /** Hours in which an order with a bot can be paid. */
  botOrderHours: 24,
  /** Minimum balance, in USDT, of a community's traders. A trader below it is marked, without further effects. */
  communityMinimumBalance: '10000',
} as const;
