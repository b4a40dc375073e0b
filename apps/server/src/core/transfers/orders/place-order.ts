import { needsOf, type OrderNeed, WRITE_OFF_ACTS } from '@copydesk/domain/access';
import type { WriteTx } from '../../../platform/db/database.ts';
import { Refusal } from '../../../platform/refusal.ts';
import type { PayoutRules } from '../../settings/payout-rules.ts';
import type { ApproverRules } from './approvers.views.ts';
import { hasPartInAddresses, lockOrdersOf, sumOrderedLately, sumWrittenOff } from './ordered-lately.views.ts';
import { insertOrder, type NewOrder } from './orders.store.ts';

export type OrderRules = ApproverRules & {
  rules: Pick<PayoutRules, 'approvalAboveUnits' | 'writeOffAboveUnits'>;
};

/** Whether what was asked waits for another person. */
export interface Waits {
  state: 'done' | 'awaiting_approval';
  order_id: string | null;
}

export const waitsFor = ({ id, needs }: { id: string; needs: readonly unknown[] }): Waits =>
  needs.length === 0 ? { state: 'done', order_id: null } : { state: 'awaiting_approval', order_id: id };

interface Placed {
  id: string;
  /** Why it waits for another person; empty: it is approved. */
  needs: OrderNeed[];
}

/**
 * Makes an order. The caller has locked what it is about, and carries it out when it needs no other person.
 * @param order.traderIds whose payout addresses it pays to
 * @throws Refusal `person_required` for a program's order above the limit: it would need two people
 */
export async function placeOrder(
  tx: WriteTx,
  { rules: { approvalAboveUnits, writeOffAboveUnits } }: OrderRules,
  { traderIds, ...order }: NewOrder & { traderIds: readonly string[] },
): Promise<Placed> {
  const { act, communityId, units } = order;
  const isProgram = tx.actor.kind === 'service';
  await lockOrdersOf(tx, [tx.actor.id]);
  const isWriteOff = WRITE_OFF_ACTS.includes(act);
  const lately = isWriteOff
    ? await sumWrittenOff(tx, tx.actor.id)
    : await sumOrderedLately(tx, { communityId, personId: tx.actor.id });
  const above = isWriteOff ? writeOffAboveUnits : approvalAboveUnits;
  const isOwnAddress = await hasPartInAddresses(tx, tx.actor.id, traderIds);
  const needs = needsOf({ act, units, lately, above, isOwnAddress, isProgram });
  if (isProgram && needs.includes('above_limit')) throw new Refusal('person_required');
  const id = await insertOrder(tx, order, needs);
  auditOrder(tx, { ...order, id, needs }, 'placed');
  return { id, needs };
}

const NOTED_LINES = 200;

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
      // The order itself has all of them, and never changes.
      lines: order.content.lines.slice(0, NOTED_LINES).map(({ subjectId, toAddress, units }) => ({
        subject_id: subjectId,
        to: toAddress,
        units: units?.toString() ?? null,
      })),
      ...(order.content.lines.length > NOTED_LINES && { line_count: order.content.lines.length }),
      facts: { ...order.content.facts },
    },
  });
}
