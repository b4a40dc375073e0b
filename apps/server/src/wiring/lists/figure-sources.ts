import type { DaySources, FigureSources } from '../../core/overview/figure-source.ts';
import { depositedSince } from '../../features/deposits/overview.views.ts';
import { invoicedSince, outstanding } from '../../features/invoices/overview.views.ts';
import { notDelivered } from '../../features/messages/overview.views.ts';
import { arrived, failedOrStuck, paidOut, toPayOut } from '../../features/payouts/overview.views.ts';
import { harvestedSince } from '../../features/pools/overview.views.ts';

/** Where each figure of the overview comes from. */
export const FIGURE_SOURCES: FigureSources = {
  outstanding,
  to_pay_out: toPayOut,
  paid_out: paidOut,
  failed_or_stuck: failedOrStuck,
  not_delivered: notDelivered,
};

/** Where each fact of the day comes from. */
export const DAY_SOURCES: DaySources = {
  invoices: invoicedSince,
  deposits: depositedSince,
  payouts: arrived,
  harvests: harvestedSince,
};
