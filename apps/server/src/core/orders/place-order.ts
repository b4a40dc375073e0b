import { needsOf, type OrderNeed } from '@copydesk/domain';
import type { WriteTx } from '../../platform/db/database.ts';
import { ApiError } from '../../platform/http/api-error.ts';
import type { ApproverRules } from '../people/approvers.views.ts';
import type { PayoutRules } from '../settings/payout-rules.ts';
import { hasPartInAddresses, lockOrdersOf, sumOrderedLately } from './ordered-lately.views.ts';
import { insertOrder, type NewOrder } from './orders.store.ts';

export type OrderRules = ApproverRules & { rules: Pick<PayoutRules, 'approvalAboveUnits'> };

interface Placed {
  id: string;
  /** Why it waits for another person; empty: it is approved. */
  needs: OrderNeed[];
}

/**
 * Makes an order. The caller has locked what it is about, and carries it out when it needs nobody else.
 * @param order.traderIds whose payout addresses it pays to
 * @throws ApiError `person_required` for a program's order above the limit: two people have to stand behind it
 */
export async function placeOrder(
  tx: WriteTx,
  { rules: { approvalAboveUnits } }: OrderRules,
  { traderIds, ...order }: NewOrder & { traderIds: readonly string[] },
): Promise<Placed> {
  const { act, communityId, units } = order;
  const isProgram = tx.actor.kind === 'service';
  await lockOrdersOf(tx, tx.actor.id);
  const lately = await sumOrderedLately(tx, { communityId, personId: tx.actor.id });
  const isOwnAddress = await hasPartInAddresses(tx, tx.actor.id, traderIds);
  const needs = needsOf({ act, units, lately, above: approvalAboveUnits, isOwnAddress, isProgram });
  if (isProgram && needs.includes('above_limit')) throw new ApiError('person_required');
  const id = await insertOrder(tx, order, needs);
  auditOrder(tx, { ...order, id, needs }, 'placed');
  return { id, needs };
}

/** Notes what became of an order, with all that it does. */
export function auditOrder(
  tx: WriteTx,
  order: NewOrder & { id: string; needs: readonly OrderNeed[] },
  what: 'placed' | 'approved' | 'declined',
): void {
  tx.audit({
    action: `order.${what}`,
    target: order.poolId
      ? { kind: 'pool', id: order.poolId }
      : order.communityId
        ? { kind: 'community', id: order.communityId }
        : { kind: 'order', id: order.id },
    after: {
      order_id: order.id,
      act: order.act,
      needs: [...order.needs],
      units: order.units.toString(),
      lines: order.content.lines.map(({ subjectId, toAddress, units }) => ({
        subject_id: subjectId,
        to: toAddress,
        units: units?.toString() ?? null,
      })),
      facts: { ...order.content.facts },
    },
  });
}
