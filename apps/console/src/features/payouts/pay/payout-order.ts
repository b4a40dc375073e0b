import { call } from '../../../lib/api.ts';
import type { PayPlan } from '../payouts-queries.ts';

/** What a person is about to pay, and the total that was looked at, in USDT. */
export type PayoutOrder = { communityId: string; expected: string } & (
  | {
      kind: 'distribute';
      /** Addresses; null: all that are pending. */
      selected: readonly string[] | null;
    }
  | { kind: 'withdraw' }
);

interface Sent {
  /** Tells what it would do, and does nothing. */
  isDry: boolean;
  idempotencyKey?: string;
  signal?: AbortSignal;
}

/** Pays, or tells what paying would do. Refused as `recipients_changed` when it is not what was looked at. */
export async function sendPayoutOrder(order: PayoutOrder, { isDry, ...how }: Sent): Promise<PayPlan> {
  const params = { id: order.communityId };
  const body = { expected_amount: order.expected, ...(isDry ? { dry_run: true } : {}) };
  const answer =
    order.kind === 'withdraw'
      ? await call('POST /api/communities/{id}/withdraw', { params, body, ...how })
      : await call('POST /api/super-admin/communities/{id}/distribute', {
          params,
          body: order.selected ? { ...body, selectedRecipients: [...order.selected] } : body,
          ...how,
        });
  if (!answer.success) throw new Error('Distribution failed');
  return answer.data;
}
