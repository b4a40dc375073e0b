import { createStore } from '../../../lib/store.ts';
import type { PayoutOrder } from '../pay/payout-order.ts';
import type { Distribution } from '../payouts-queries.ts';

/** A distribution whose end is announced while the page is open. */
export interface Followed {
  distributionId: string;
  communityId: string;
  /** Ordered USDT. */
  orderedAmount: string;
  /** How many recipients were selected; null: all. */
  recipients: number | null;
}

export const followedDistributions = createStore<readonly Followed[]>([]);

export function followDistribution(followed: Followed): void {
  unfollowDistribution(followed.distributionId);
  followedDistributions.set([...followedDistributions.get(), followed]);
}

/** @returns whether the page followed it until now */
export function unfollowDistribution(id: string): boolean {
  const before = followedDistributions.get();
  const left = before.filter(({ distributionId }) => distributionId !== id);
  if (left.length < before.length) followedDistributions.set(left);
  return left.length < before.length;
}

/** The entry to follow once an order is placed. */
export function followedOf(order: PayoutOrder, { id, total_amount }: Distribution): Followed {
  const selected = order.kind === 'withdraw' ? 1 : (order.selected?.length ?? null);
  return {
    distributionId: id,
    communityId: order.communityId,
    orderedAmount: total_amount,
    recipients: selected,
  };
}

/** Payout runs whose end is announced once for all their distributions, by id. */
export const followedRuns = createStore<readonly string[]>([]);

export function followRun(id: string): void {
  followedRuns.set([...new Set([...followedRuns.get(), id])]);
}

/** @returns whether the page followed it until now */
export function unfollowRun(id: string): boolean {
  const before = followedRuns.get();
  if (!before.includes(id)) return false;
  followedRuns.set(before.filter((each) => each !== id));
  return true;
}
