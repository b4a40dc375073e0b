import type { DemoSubscription } from '@copydesk/simulators/world';
import type { Cell } from '../copy-rows.ts';

/** The tables of subscriptions, which the payment service of the demo world has as well. */
export const SUBSCRIPTION_TABLES: {
  table: string;
  columns: string[];
  rowOf: (s: DemoSubscription, readAt: Date) => Cell[];
}[] = [
  {
    table: 'billing_customer',
    columns: ['community_id', 'customer_id', 'created_at'],
    rowOf: (s) => [s.communityId, s.customerId, s.createdAt],
  },
  {
    table: 'community_subscription',
    columns: [
      'community_id',
      'subscription_id',
      'interval',
      'status',
      'current_period_end',
      'cancel_at_period_end',
      'trial_end',
      'unpaid_since',
      'ended_at',
      'read_at',
    ],
    rowOf: (s, readAt) => [
      s.communityId,
      s.subscriptionId,
      s.interval,
      s.status,
      s.periodEnd,
      s.cancelAtPeriodEnd,
      s.trialEnd,
      s.unpaidSince,
      s.endedAt,
      readAt,
    ],
  },
];
