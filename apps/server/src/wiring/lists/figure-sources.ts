import type { FigureSources } from '../../core/overview/figure-source.ts';
import { outstanding } from '../../features/invoices/overview.views.ts';
import { notDelivered } from '../../features/messages/overview.views.ts';
import { failedOrStuck, paidOut, toPayOut } from '../../features/payouts/overview.views.ts';

/** Where each figure of the overview comes from. */
export const FIGURE_SOURCES: FigureSources = {
  outstanding,
  to_pay_out: toPayOut,
  paid_out: paidOut,
  failed_or_stuck: failedOrStuck,
  not_delivered: notDelivered,
};
