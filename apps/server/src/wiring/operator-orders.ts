import type { OrderActName } from '@copydesk/domain/access';
import type { PlatformSettings } from '@copydesk/domain/settings';
import type { Config } from '../config.ts';
import { listWaitingAddresses } from '../features/payouts/addresses/changed-addresses.views.ts';
import { auditRelease, recordAllReleased } from '../features/payouts/addresses/payout-addresses.store.ts';
import { approve } from '../features/payouts/distributions/decide-distribution.service.ts';
import { findCommunityOf } from '../features/payouts/distributions/distributions.store.ts';
import { listAllAwaiting } from '../features/payouts/distributions/distributions.views.ts';
import { approveRun } from '../features/payouts/runs/decide-run.service.ts';
import { findRun } from '../features/payouts/runs/payout-runs.store.ts';
import { listRuns } from '../features/payouts/runs/payout-runs.views.ts';
import { approveOrder } from '../features/transfers/orders/orders.service.ts';
import { listOrders } from '../features/transfers/orders/orders.views.ts';
import { type Database, WHOLE_SCOPE } from '../platform/db/database.ts';
import { orderActs } from './order-acts.ts';

const OPERATOR = { kind: 'system', id: 'operator', name: 'Operator' } as const;
const MOST = 1_000;

/** The orders that wait for another person, a line each, for an operator of the server. */
export async function describeWaitingOrders(db: Database, now: () => Date): Promise<string[]> {
  const rules = { rules: { approverMinAgeMs: 0 }, now };
  const chosen = { callerId: OPERATOR.id, isAll: false, limit: MOST, offset: 0 };
  const [orders, distributions, runs] = await db.read(WHOLE_SCOPE, (tx) =>
    Promise.all([
      listOrders(tx, rules, chosen),
      listAllAwaiting(tx, rules, OPERATOR.id, { limit: MOST, offset: 0 }),
      listRuns(tx, rules, OPERATOR.id, { isAwaiting: true, limit: MOST, offset: 0 }),
    ]),
  );
  return [
    ...orders.data.map(({ id, act, amount, lines, community, requested_by }) => [
      id,
      act,
      community?.name ?? '',
      amount === '0' ? '' : `${amount} USDT`,
      lines.map(({ label, to_address }) => `${label} ${to_address ?? ''}`.trim()).join(', '),
      `requested by ${requested_by}`,
    ]),
    ...distributions.data.map(({ id, community, total_amount, payout_count, requested_by, approvals }) => [
      id,
      'distribution',
      community.name,
      `${total_amount} USDT`,
      payout_count === 1 ? '1 payout' : `${payout_count} payouts`,
      `requested by ${[requested_by, ...approvals.given_by.map((name) => `approved by ${name}`)].join(', ')}`,
    ]),
    ...runs.data.map(({ id, community_count, total_amount, payout_count, requested_by }) => [
      id,
      'payout run',
      community_count === 1 ? '1 community' : `${community_count} communities`,
      `${total_amount} USDT`,
      payout_count === 1 ? '1 payout' : `${payout_count} payouts`,
      `requested by ${requested_by}`,
    ]),
  ].map((columns) => columns.join('\t'));
}

/**
 * Approves an order, a distribution or a payout run on the worker's machine, in place of the super admin that is missing.
 * @throws Refusal as `approveOrder`, `approve` or `approveRun`
 */
export async function approveOrderAsOperator(
  db: Database,
  { chain }: Pick<Config, 'chain'>,
  {
    payout_address_hold_hours: addressHoldHours,
    approver_min_hours: minHours,
    platform_weights: weights,
  }: PlatformSettings,
  { id, now }: { id: string; now: () => Date },
): Promise<void> {
  const approverMinAgeMs = minHours * 3_600_000;
  const rules = {
    approvalAboveUnits: null,
    writeOffAboveUnits: null,
    maximumUnits: null,
    minimumUnits: 0n,
    approverMinAgeMs,
    addressHoldHours,
  };
  const settings = { chainId: chain.chainId, tokenAddress: chain.tokenAddress, rules };
  const acts = orderActs(settings, () => weights, now);
  const act = (name: OrderActName) => acts[name];
  await db.write(WHOLE_SCOPE, OPERATOR, async (tx) => {
    if (await findCommunityOf(tx, id)) await approve(tx, { ...settings, now }, id);
    else if (await findRun(tx, id)) await approveRun(tx, { ...settings, now }, id, null);
    else await approveOrder(tx, { rules, now, act }, id);
  });
}

/** The payout addresses that wait for a release, a line each, for an operator of the server. */
export async function describeWaitingAddresses(db: Database, now: () => Date): Promise<string[]> {
  const rules = { rules: { approverMinAgeMs: 0, addressHoldHours: 0 }, now };
  const { data } = await db.read(WHOLE_SCOPE, (tx) =>
    listWaitingAddresses(tx, rules, OPERATOR.id, { limit: MOST, offset: 0 }),
  );
  return data.map(
    ({ owner_kind, owner, referrer, address, previous_address, changed_by, changed_at, owner_word }) =>
      [
        owner_kind,
        owner,
        referrer === null ? address : `${referrer} ${address ?? ''}`.trim(),
        `before ${previous_address ?? 'none'}`,
        `set by ${changed_by}`,
        changed_at,
        ...(owner_word?.kind === 'not_me' ? ['not released: its owner said that it is not theirs'] : []),
      ].join('\t'),
  );
}

/** Releases every payout address that waits. @returns how many */
export function releaseAddressesAsOperator(db: Database): Promise<number> {
  return db.write(WHOLE_SCOPE, OPERATOR, async (tx) => {
    const released = await recordAllReleased(tx);
    for (const change of released) auditRelease(tx, change);
    return released.length;
  });
}
