import { call } from '../../../lib/api/api.ts';
import type { PayPlan } from '../payouts-queries.ts';

/** The payout that a person is about to order, and the total shown to that person, in USDT. */
export type PayoutOrder = { communityId: string; expected: string } & (
  | {
      kind: 'distribute';
      /** Addresses; null: all pending ones. */
      selected: readonly string[] | null;
    }
  | { kind: 'withdraw' }
);

type Sent = {
  /** Orders payouts above the largest one too. */
  isAllowedOnce?: boolean;
  signal?: AbortSignal;
} & (
  | {
      /** Returns the plan and changes nothing. */
      isDry: true;
      idempotencyKey?: null;
    }
  | { isDry: false; idempotencyKey: string }
);

/**
 * Places the order, or returns its plan. The server refuses with `recipients_changed` when the order differs from the
 * one shown.
 */
export async function sendPayoutOrder(
  order: PayoutOrder,
  { isDry, isAllowedOnce = false, idempotencyKey = null, signal }: Sent,
): Promise<PayPlan> {
  const params = { id: order.communityId };
  const how = { idempotencyKey, ...(signal && { signal }) };
  const body = {
    expected_amount: order.expected,
    ...(isDry ? { dry_run: true } : {}),
    ...(isAllowedOnce ? { allow_once: true } : {}),
  };
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
