import type { CallAnswer, CallParsed } from '@copydesk/contract';
import { needsApproval } from '@copydesk/domain/access';
import { unitsToDecimal } from '@copydesk/domain/money';
import { canRetryPayout, MOST_RETRIED, whyNoRetry } from '@copydesk/domain/payouts';
import { readApprovers } from '../../core/transfers/orders/approvers.views.ts';
import {
  lockOrdersOf,
  type OrderedAgain,
  sumOrderedLately,
} from '../../core/transfers/orders/ordered-lately.views.ts';
import type { Tx, WriteTx } from '../../platform/db/database.ts';
import { Refusal } from '../../platform/refusal.ts';
import { listMatchingIds } from './history/payout-history.views.ts';
import { lockPayouts } from './payout-acts.service.ts';
import { listOrders } from './payout-acts.store.ts';
import {
  listPayoutFacts,
  listPayoutLines,
  listTakenAlong,
  type PayoutLine,
  type TakenAlong,
} from './payout-facts.views.ts';
import { readStatuses, recordOrdered } from './payouts.store.ts';
import type { PlanDeps } from './plan-deps.ts';
import { orderPayoutTransfers } from './transfers/order-transfers.ts';

/** What a retry has ordered. */
interface Retried {
  /** Statuses of those that were asked for, by id. */
  statuses: ReadonlyMap<string, string>;
  /** The others, that failed because of the same deposits. */
  along: readonly TakenAlong[];
}

/**
 * Pays failed payouts again, and with them those that failed because of the same deposit addresses: each address is
 * emptied once, for all of them. Their amounts stay reserved throughout. All or none are ordered.
 * @param expected how many are paid, and their sum in USDT, as they were confirmed
 * @throws Refusal `not_found`, `payout_not_safe`, `payouts_changed`, `approval_required`, the refusals of
 * `decideApprover`, `wallet_not_ready`, `deposits_missing`
 */
export async function retryPayouts(
  tx: WriteTx,
  deps: PlanDeps,
  payoutIds: readonly string[],
  expected?: { count: number; amount: string },
): Promise<Retried> {
  const asked = await lockPayouts(tx, [...new Set(payoutIds)]);
  if (!asked.every(canRetryPayout)) throw new Refusal(expected ? 'payouts_changed' : 'payout_not_safe');
  const along = await listTakenAlong(
    tx,
    asked.map(({ id }) => id),
  );
  const all = [...asked, ...along];
  const orders = await listOrdersAgain(
    tx,
    tx.actor.id,
    all.map(({ id }) => id),
  );
  const amount = unitsToDecimal(orders.reduce((sum, { units }) => sum + units, 0n));
  if (expected && (expected.count !== all.length || expected.amount !== amount))
    throw new Refusal('payouts_changed');
  await lockOrdersOf(
    tx,
    orders.map(({ orderedById }) => orderedById),
  );
  const { byTwo, refusal } = await decideAgain(tx, deps, tx.actor.id, orders);
  if (refusal) throw refusal;
  await recordOrdered(
    tx,
    orders.map((order) => ({ ...order, approvedById: byTwo.has(order.id) ? tx.actor.id : null })),
  );
  for (const [communityId, payouts] of Map.groupBy(all, (payout) => payout.communityId))
    await orderPayoutTransfers(
      tx,
      deps,
      communityId,
      payouts.map(({ id }) => id),
    );
  const statuses = await readStatuses(
    tx,
    all.map(({ id }) => id),
  );
  const audit = (id: string, before: Record<string, string | null>, others = {}) =>
    tx.audit({
      action: 'payout.retried',
      target: { kind: 'payout', id },
      before,
      after: { status: statuses.get(id) as string, ...others },
    });
  for (const { id, by } of along) audit(id, { status: 'failed' }, { with: by });
  for (const { id, status, transfer } of asked) audit(id, { status, transfer });
  return { statuses, along };
}

/** What repeating payouts takes. */
interface Decision {
  /** Those that need the approval of a person other than their orderer. */
  byTwo: ReadonlySet<string>;
  /** Why the caller may not give it; null: it may, or none is needed. */
  refusal: Refusal | null;
}

/**
 * A retry counts as an order of today, all payouts of one act together. If only the requester decided a payout, the
 * approval limit applies again: above it another super admin must retry, which approves it.
 */
async function decideAgain(
  tx: Tx,
  deps: PlanDeps,
  callerId: string,
  orders: readonly (OrderedAgain & { wasApproved: boolean })[],
): Promise<Decision> {
  const alone = orders.filter(({ wasApproved }) => !wasApproved);
  const byTwo = new Set<string>();
  const requesters = new Set<string>();
  for (const group of Map.groupBy(alone, (o) => `${o.communityId} ${o.orderedById}`).values()) {
    const { communityId, orderedById: personId } = group[0] as OrderedAgain;
    const lately = await sumOrderedLately(tx, { communityId, personId, again: orders });
    if (!needsApproval(0n, lately, deps.rules.approvalAboveUnits)) continue;
    for (const { id } of group) byTwo.add(id);
    requesters.add(personId);
  }
  if (requesters.has(callerId)) return { byTwo, refusal: new Refusal('approval_required') };
  const refusalOf = await readApprovers(tx, deps, callerId, [...requesters]);
  const refused = [...requesters].map(refusalOf).find((refusal) => refusal !== null);
  return { byTwo, refusal: refused ? new Refusal(refused.code, refused) : null };
}

/** Orders whose author may not order any more: the caller who pays them now counts as their author. */
async function listOrdersAgain(tx: Tx, callerId: string, ids: readonly string[]) {
  const orders = await listOrders(tx, ids);
  return orders.map(({ isOrdererGone, ...order }) =>
    isOrdererGone && !order.wasApproved ? { ...order, orderedById: callerId } : order,
  );
}

type Asked = CallParsed<'POST /api/sweep-operations/retry/preview'>['body'];
type Preview = CallAnswer<'POST /api/sweep-operations/retry/preview'>['data'];

/**
 * What `retryPayouts` would do with a selection, payout by payout. Nothing changes.
 * @throws Refusal `not_found`, `too_many_payouts`
 */
export async function planRetry(
  tx: Tx,
  deps: PlanDeps,
  callerId: string,
  { payout_ids: named, matching }: Asked,
): Promise<Preview> {
  const ids = named ? [...new Set(named)] : await listFailed(tx, matching);
  const facts = await listPayoutFacts(tx, ids);
  if (named && facts.length < ids.length) throw new Refusal('not_found');
  const lines = await listPayoutLines(tx, ids);
  const reasons = new Map(facts.map((each) => [each.id, whyNoRetry(each)]));
  const reasonOf = ({ id, hasWallet }: (typeof lines)[number]) =>
    reasons.get(id) ?? (hasWallet ? null : 'wallet_not_ready');
  const asked = lines.filter((line) => reasonOf(line) === null).map(({ id }) => id);
  const along = await listTakenAlong(tx, asked);
  const alongLines = await listPayoutLines(
    tx,
    along.map(({ id }) => id),
  );
  const takers = new Map(along.map(({ id, by }) => [id, by]));
  const orders = await listOrdersAgain(tx, callerId, [...asked, ...takers.keys()]);
  const { byTwo, refusal } = await decideAgain(tx, deps, callerId, orders);
  return {
    rows: [
      ...lines.map((line) => rowOf(line, { reason: reasonOf(line), taken_by: null })),
      // A payout that was selected and also taken along is listed among the selected.
      ...alongLines.map((line) => rowOf(line, { reason: null, taken_by: takers.get(line.id) ?? null })),
    ],
    will: orders.length,
    amount: unitsToDecimal(orders.reduce((sum, { units }) => sum + units, 0n)),
    takes_two: byTwo.size > 0,
    refusal: refusal?.message ?? null,
  };
}

async function listFailed(tx: Tx, matching: Asked['matching']): Promise<string[]> {
  const { filters = {}, except = [] } = matching ?? {};
  const found = await listMatchingIds(tx, { ...filters, status: 'failed' }, MOST_RETRIED + except.length + 1);
  const ids = found.filter((id) => !except.includes(id));
  if (ids.length > MOST_RETRIED) throw new Refusal('too_many_payouts');
  return ids;
}

const rowOf = (
  { hasWallet: _, ...line }: PayoutLine,
  how: Pick<Preview['rows'][number], 'reason' | 'taken_by'>,
) => ({ ...line, ...how });
