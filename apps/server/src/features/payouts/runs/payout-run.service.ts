import { randomUUIDv7 } from 'node:crypto';
import type { CallAnswer } from '@copydesk/contract';
import { needsApproval } from '@copydesk/domain/access';
import { unitsToDecimal } from '@copydesk/domain/money';
import { MOST_RUN_PAYOUTS, type RunExclusion, shareOfRun } from '@copydesk/domain/payouts';
import { checksum } from 'ox/Address';
import { findAnswerable } from '../../../core/transfers/addresses/held.views.ts';
import { lockOrdersOf, sumOrderedIn } from '../../../core/transfers/orders/ordered-lately.views.ts';
import type { Tx, WriteTx } from '../../../platform/db/database.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { listConsolidations, ofPayables } from '../consolidations/consolidations.views.ts';
import { writeDistribution } from '../distributions/distribute.service.ts';
import { estimateFee } from '../distributions/distributions.views.ts';
import { type Addressed, sortByAddress, sumOf } from '../distributions/payable-recipients.ts';
import { listPaidRecipients } from '../distributions/recipient-history.views.ts';
import {
  listPayingCommunities,
  lockPayingCommunities,
  type PayingCommunity,
} from '../paying-community.store.ts';
import { listAddressAuthors, listPayableLines, type PayableLine } from '../pending-shares.views.ts';
import type { PlanDeps } from '../plan-deps.ts';
import { insertRun } from './payout-runs.store.ts';
import { getRun, type PayoutRun } from './payout-runs.views.ts';
import { lineJson, seenOf } from './run-lines.ts';

type Plan = CallAnswer<'POST /api/super-admin/payout-runs/plan'>['data'];

type Line = Addressed<PayableLine>;
interface Paid {
  community: PayingCommunity;
  units: bigint;
  lines: Line[];
  carried: Line[];
  /** Held or without an address, base units. */
  notNowUnits: bigint;
}
interface Share {
  paid: Paid[];
  leftOut: { community: PayingCommunity; reason: RunExclusion; units: bigint }[];
}

/**
 * What a payout run of these communities would do.
 * @throws Refusal `not_found`, `run_too_large`
 */
export async function planRun(
  tx: Tx,
  deps: PlanDeps,
  callerId: string,
  communityIds: readonly string[],
): Promise<Plan> {
  const communities = await listPayingCommunities(tx, communityIds);
  const { paid, leftOut } = await shareOut(tx, deps, communities, communityIds);
  const { above, lately, communitiesAbove, isAbove, author } = await decide(tx, deps, callerId, paid);
  const lines = linesOf(paid);
  const consolidations = Map.groupBy(
    await listConsolidations(
      tx,
      paid.map(({ community }) => community.id),
      ofPayables(lines.flatMap(({ payableIds }) => payableIds)),
    ),
    ({ communityId }) => communityId,
  );
  const collected = [...consolidations.values()].reduce((count, each) => count + each.length, 0);
  return {
    seen: seenOf(lines),
    total_amount: unitsToDecimal(sumOf(paid)),
    communities: paid.map(({ community, units, lines: its, carried, notNowUnits }) => ({
      community: shown(community),
      amount: unitsToDecimal(units),
      payout_count: its.length,
      carried: sum(carried),
      not_now: unitsToDecimal(notNowUnits),
      consolidations: sum(consolidations.get(community.id) ?? []),
      from_address: checksum(community.walletAddress as `0x${string}`),
    })),
    lines: lines.map(lineJson),
    recipients: await listPaidRecipients(
      tx,
      { payableIds: lines.flatMap(({ payableIds }) => payableIds) },
      deps.now(),
    ),
    left_out: leftOut.map(({ community, reason, units }) => ({
      community: shown(community),
      reason,
      amount: unitsToDecimal(units),
    })),
    carried: sum(paid.flatMap(({ carried }) => carried)),
    minimum_payout: unitsToDecimal(deps.rules.minimumUnits),
    transaction_count: collected + lines.length,
    expected_fee: await estimateFee(tx, collected + lines.length),
    needs_approval: isAbove || author !== null,
    approval_reasons: {
      is_above_limit: isAbove,
      communities_above: communitiesAbove.map(({ community }) => community.name),
      own_address_set_by: author,
    },
    approval_limit:
      above === null ? null : { above: unitsToDecimal(above), ordered_by_caller: unitsToDecimal(lately) },
  };
}

/**
 * Orders a payout run: a distribution for each community. All of them wait for another super admin if any of
 * them, or their sum, needs one.
 * @param seen the fingerprint of the plan that the caller saw
 * @throws Refusal `not_found`, `run_too_large`, `nothing_pending`, `recipients_changed`, `deposits_missing`
 */
export async function orderRun(
  tx: WriteTx,
  deps: PlanDeps,
  { communityIds, seen }: { communityIds: readonly string[]; seen: string },
): Promise<PayoutRun> {
  const communities = await lockPayingCommunities(tx, communityIds);
  const { paid } = await shareOut(tx, deps, communities, communityIds);
  if (paid.length === 0) throw new Refusal('nothing_pending');
  if (seenOf(linesOf(paid)) !== seen) throw new Refusal('recipients_changed');
  await lockOrdersOf(tx, [tx.actor.id]);
  const { isAbove, author } = await decide(tx, deps, tx.actor.id, paid);
  const waits = isAbove || author !== null;
  const runId = await insertRun(tx, {
    communities: paid.length,
    units: sumOf(paid),
    seen,
    minimumUnits: deps.rules.minimumUnits,
    carriedUnits: sumOf(paid.flatMap(({ carried }) => carried)),
  });
  for (const { community, units, lines } of paid) {
    const payouts = lines.map((line) => ({ ...line, id: randomUUIDv7() }));
    await naming(community, writeDistribution(tx, deps, community.id, { units, waits, runId, payouts }));
  }
  return getRun(tx, deps, runId, tx.actor.id);
}

/** Names the community in a refusal, because all of them were requested at once. */
export async function naming<T>({ name }: Pick<PayingCommunity, 'name'>, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Refusal) throw new Refusal(error.code, { message: `${name}: ${error.message}` });
    throw error;
  }
}

/** @throws Refusal `not_found`, `run_too_large` */
async function shareOut(
  tx: Tx,
  deps: PlanDeps,
  communities: readonly PayingCommunity[],
  communityIds: readonly string[],
): Promise<Share> {
  if (communities.length < new Set(communityIds).size) throw new Refusal('not_found');
  const { chainId, rules } = deps;
  const holdHours = rules.addressHoldHours;
  const all = await listPayableLines(tx, { communityIds, chainId, holdHours });
  const { recipients } = await sortByAddress(tx, deps, all);
  const payable = Map.groupBy(recipients, ({ communityId }) => communityId);
  const pending = Map.groupBy(all, ({ communityId }) => communityId);
  const result: Share = { paid: [], leftOut: [] };
  for (const community of communities) {
    const lines = payable.get(community.id) ?? [];
    const share = shareOfRun(lines, { ...rules, hasWallet: community.walletAddress !== null });
    if (share.reason !== null) {
      result.leftOut.push({ community, reason: share.reason, units: share.units });
      continue;
    }
    const notNowUnits = sumOf(pending.get(community.id) ?? []) - sumOf(lines);
    const { paid, carried } = share;
    result.paid.push({ community, units: sumOf(paid), lines: paid, carried, notNowUnits });
  }
  if (linesOf(result.paid).length > MOST_RUN_PAYOUTS) throw new Refusal('run_too_large');
  result.paid.sort((a, b) => (a.units < b.units ? 1 : a.units > b.units ? -1 : 0));
  return result;
}

/** The limits hold for each community, for what the person ordered within 24 hours, and so for the sum. */
async function decide(
  tx: Tx,
  { rules: { approvalAboveUnits: above } }: PlanDeps,
  callerId: string,
  paid: Paid[],
) {
  const { ofCommunity, byPerson } = await sumOrderedIn(
    tx,
    paid.map(({ community }) => community.id),
    { personId: callerId },
  );
  const communitiesAbove = paid.filter(({ community, units }) =>
    needsApproval(units, { byCommunity: ofCommunity(community.id), byPerson: 0n }, above),
  );
  const isAbove =
    communitiesAbove.length > 0 || needsApproval(sumOf(paid), { byCommunity: 0n, byPerson }, above);
  const authors = await listAddressAuthors(
    tx,
    linesOf(paid).flatMap(({ payableIds }) => payableIds),
  );
  const author = await findAnswerable(tx, callerId, authors);
  return { above, lately: byPerson, communitiesAbove, isAbove, author };
}

const linesOf = (paid: readonly Paid[]): Line[] =>
  paid.flatMap(({ lines }) => lines).toSorted((a, b) => (a.units < b.units ? 1 : a.units > b.units ? -1 : 0));

const sum = (lines: readonly { units: bigint }[]) => ({
  amount: unitsToDecimal(sumOf(lines)),
  count: lines.length,
});

const shown = ({ id, name }: PayingCommunity) => ({ id, name });
