import { needsOf, orderChanges } from '@copydesk/domain/access';
import { refuseTokens } from '../../../core/transfers/addresses/held.views.ts';
import { requireActiveRequester, requireApprover } from '../../../core/transfers/orders/approvers.views.ts';
import type { OrderAct } from '../../../core/transfers/orders/order-act.ts';
import { lockOrdersOf, sumOrderedLately } from '../../../core/transfers/orders/ordered-lately.views.ts';
import * as store from '../../../core/transfers/orders/orders.store.ts';
import { auditOrder, type OrderRules } from '../../../core/transfers/orders/place-order.ts';
import type { WriteTx } from '../../../platform/db/database.ts';
import { Refusal } from '../../../platform/refusal.ts';

const NAMED_CHANGES = 10;
const namesOf = (changes: readonly string[]): string =>
  [
    ...changes.slice(0, NAMED_CHANGES),
    ...(changes.length > NAMED_CHANGES ? [`${changes.length - NAMED_CHANGES} more`] : []),
  ].join('; ');

/** The act of each kind of order. */
export type ActOf = (name: store.StoredOrder['act']) => OrderAct;

/**
 * Approves an order of another person, as it was made, and carries it out.
 * @throws Refusal `not_found`, `order_decided`, `order_changed` with the names of what changed, `address_is_token`, `approval_required` for
 * a program's order above the approver's own limit, `requester_inactive`, the refusals of `decideApprover` and of the act
 */
export async function approveOrder(
  tx: WriteTx,
  deps: OrderRules & { act: ActOf },
  id: string,
): Promise<void> {
  const { order, act } = await lockAwaiting(tx, deps, id);
  if (tx.actor.kind !== 'system') {
    await requireApprover(tx, deps, order.requestedById);
    await requireActiveRequester(tx, order.requestedById);
    if (order.needs.includes('by_program')) await requireBelowLimit(tx, deps, order);
  }
  await refuseTokens(
    tx,
    order.seen.lines.map(({ toAddress }) => toAddress),
  );
  const changes = orderChanges(order.seen, await act.present(tx, order), act.gone);
  if (changes.length > 0)
    throw new Refusal('order_changed', {
      message: `This changed since it was ordered: ${namesOf(changes)}. Decline it, and order it again.`,
    });
  await store.decideOrder(tx, id, 'approved');
  await act.carryOut(tx, order);
  auditOrder(tx, { ...order, content: order.seen }, 'approved');
}

/**
 * Declines an order; its author withdraws it. What was reserved for it is released.
 * @throws Refusal `not_found`, `order_decided`
 */
export async function declineOrder(tx: WriteTx, deps: { act: ActOf }, id: string): Promise<void> {
  const { order, act } = await lockAwaiting(tx, deps, id);
  await store.decideOrder(tx, id, 'declined');
  await act.drop?.(tx, order);
  auditOrder(tx, { ...order, content: order.seen }, 'declined');
}

async function lockAwaiting(
  tx: WriteTx,
  { act: actOf }: { act: ActOf },
  id: string,
): Promise<{ order: store.StoredOrder; act: OrderAct }> {
  const found = await store.findOrder(tx, id);
  if (!found) throw new Refusal('not_found');
  const act = actOf(found.act);
  await act.lock(tx, found);
  const order = await store.lockOrder(tx, id);
  if (order?.state !== 'awaiting_approval') throw new Refusal('order_decided');
  return { order, act };
}

/**
 * No person is responsible for a program's order, so its approver counts as its author, under the limit of
 * one person.
 */
async function requireBelowLimit(
  tx: WriteTx,
  { rules: { approvalAboveUnits: above } }: OrderRules,
  { id, act, communityId, units }: store.StoredOrder,
): Promise<void> {
  await lockOrdersOf(tx, [tx.actor.id]);
  const lately = await sumOrderedLately(tx, { communityId, personId: tx.actor.id, except: id });
  const needs = needsOf({ act, units, lately, above, isOwnAddress: false, isProgram: false });
  if (needs.includes('above_limit')) throw new Refusal('approval_required');
}
