import { createDirectory } from './directory.ts';

/** What the demo world charges, in cents. */
export const DEMO_PRICES = {
  monthly: { id: 'price_demo_monthly', interval: 'month', amount: 19_900 },
  yearly: { id: 'price_demo_yearly', interval: 'year', amount: 199_000 },
} as const;

/** A subscription of the demo world, in its books and at its payment service alike. */
export interface DemoSubscription {
  communityId: string;
  community: string;
  customerId: string;
  subscriptionId: string;
  interval: 'monthly' | 'yearly';
  status: 'active' | 'trialing' | 'past_due' | 'canceled';
  createdAt: Date;
  periodStart: Date;
  periodEnd: Date;
  trialEnd: Date | null;
  /** When the only unpaid invoice was issued. */
  unpaidSince: Date | null;
  cancelAtPeriodEnd: boolean;
  endedAt: Date | null;
}

type Terms = Pick<DemoSubscription, 'interval' | 'status'> & {
  /** Days from the world's hour to the beginning and the end of the present period. */
  from: number;
  to: number;
  isCanceled?: boolean;
};

const TERMS: Record<string, Terms> = {
  'Alpine Traders': { interval: 'yearly', status: 'active', from: -200, to: 165 },
  'Blue Harbor': { interval: 'monthly', status: 'active', from: -12, to: 18 },
  'Cedar Circle': { interval: 'monthly', status: 'active', from: -3, to: 27 },
  'Delta Desk': { interval: 'monthly', status: 'past_due', from: -2, to: 28 },
  'Evergreen Copy': { interval: 'yearly', status: 'active', from: -30, to: 335 },
  'Falcon Futures': { interval: 'monthly', status: 'trialing', from: -4, to: 10 },
  'Granite Group': { interval: 'monthly', status: 'active', from: -9, to: 21, isCanceled: true },
  'Horizon Club': { interval: 'monthly', status: 'canceled', from: -50, to: -20 },
  'Juniper Syndicate': { interval: 'monthly', status: 'active', from: -20, to: 10 },
};

/** The subscriptions at an hour. A community without one never subscribed. */
export function createSubscriptions(hour: Date): DemoSubscription[] {
  const inDays = (days: number) => new Date(hour.getTime() + days * 86_400_000);
  return createDirectory(hour).communities.flatMap(({ id, name }, index) => {
    const terms = TERMS[name];
    if (!terms) return [];
    const { interval, status, from, to, isCanceled = false } = terms;
    const ids = String(index + 1).padStart(4, '0');
    return {
      communityId: id,
      community: name,
      customerId: `cus_demo${ids}`,
      subscriptionId: `sub_demo${ids}`,
      interval,
      status,
      createdAt: inDays(status === 'trialing' ? from : from - 60),
      periodStart: inDays(from),
      periodEnd: inDays(to),
      trialEnd: status === 'trialing' ? inDays(to) : null,
      unpaidSince: status === 'past_due' ? inDays(from) : null,
      cancelAtPeriodEnd: isCanceled,
      endedAt: status === 'canceled' ? inDays(to) : null,
    };
  });
}
