import { randomUUIDv7 } from 'node:crypto';
import type { CallAnswer } from '@copydesk/contract';
import { needsApproval } from '@copydesk/domain/access';
import type { RecipientType } from '@copydesk/domain/catalogue';
import { ledgerAccount } from '@copydesk/domain/ledger';
import { unitsToDecimal } from '@copydesk/domain/money';
import { checksum } from 'ox/Address';
import { reserveAll } from '../../../core/ledger/reservations.service.ts';
import { findAnswerable } from '../../../core/transfers/addresses/held.views.ts';
import { lockOrdersOf, sumOrderedLately } from '../../../core/transfers/orders/ordered-lately.views.ts';
import type { WriteTx } from '../../../platform/db/database.ts';
import { Refusal } from '../../../platform/refusal.ts';
import {
  type Consolidation,
  listConsolidations,
  ofPayables,
} from '../consolidations/consolidations.views.ts';
import { findPayingCommunity, lockPayingCommunity } from '../paying-community.store.ts';
import { insertPayouts } from '../payouts.store.ts';
import { listAddressAuthors, listPayableLines, type PayableLine } from '../pending-shares.views.ts';
import type { PlanDeps } from '../plan-deps.ts';
import { claimShares, listShares } from '../shares.store.ts';
import { translateOverdraft } from '../transfers/deposits-missing.ts';
import { orderPayoutTransfers } from '../transfers/order-transfers.ts';
import { insertDistribution } from './distributions.store.ts';
import { estimateFee, getDistribution } from './distributions.views.ts';
import { type Addressed, type Choice, chooseRecipients, sortByAddress, sumOf } from './payable-recipients.ts';
import { listPaidRecipients } from './recipient-history.views.ts';

export type DistributionPlan = CallAnswer<'POST /api/super-admin/communities/{id}/distribute'>['data'];

export interface Request extends Choice {
  communityId: string;
  /** Pays this role only; undefined: all. */
  role?: RecipientType;
  /** Pays these shares only; undefined: all. */
  payableIds?: readonly string[];
  /** Returns the plan and writes nothing. */
  isDry: boolean;
  /** Orders payouts above the largest one too, which then take two further super admins. */
  isAllowedOnce?: boolean;
}

export type NewPayout = Addressed<PayableLine> & { id: string };

/**
 * Pays out a community's debt to the chosen recipients. It assigns their shares to payouts and reserves them in the
 * ledger. Transfers are ordered at once unless a second person must approve.
 * @throws Refusal `not_found`, `nothing_pending`, `recipients_changed`, `wallet_not_ready`,
 * `deposits_missing`, `above_maximum`
 */
export async function distribute(
  tx: WriteTx,
  deps: PlanDeps,
  { communityId, role, payableIds, isDry, isAllowedOnce = false, ...choice }: Request,
): Promise<DistributionPlan> {
  const community = await (isDry ? findPayingCommunity : lockPayingCommunity)(tx, communityId);
  if (!community) throw new Refusal('not_found');
  const { recipients } = await sortByAddress(
    tx,
    deps,
    await listPayableLines(tx, {
      communityIds: [communityId],
      chainId: deps.chainId,
      holdHours: deps.rules.addressHoldHours,
      payableIds,
    }),
  );
  const ofRole = role ? recipients.filter(({ recipientType }) => recipientType === role) : recipients;
  const payouts = chooseRecipients(ofRole, choice).map((line) => ({ ...line, id: randomUUIDv7() }));
  if (community.walletAddress === null) throw new Refusal('wallet_not_ready');

  const units = sumOf(payouts);
  const { maximumUnits } = deps.rules;
  const tooLarge = maximumUnits === null ? [] : payouts.filter((payout) => payout.units > maximumUnits);
  if (tooLarge.length > 0 && !isAllowedOnce && !isDry) throw aboveMaximum(tooLarge, maximumUnits as bigint);
  if (!isDry) await lockOrdersOf(tx, [tx.actor.id]);
  const lately = await sumOrderedLately(tx, { communityId, personId: tx.actor.id });
  const authors = await listAddressAuthors(
    tx,
    payouts.flatMap(({ payableIds: ids }) => ids),
  );
  const isAbove = needsApproval(units, lately, deps.rules.approvalAboveUnits);
  const author = await findAnswerable(tx, tx.actor.id, authors);
  const waits = tooLarge.length > 0 || isAbove || author !== null;
  const planned = isDry
    ? null
    : await writeDistribution(tx, deps, communityId, {
        units,
        waits,
        payouts,
        isAboveMaximum: tooLarge.length > 0,
      });
  const consolidations =
    planned?.consolidations ??
    (await listConsolidations(tx, [communityId], ofPayables(payouts.flatMap((o) => o.payableIds))));
  const transactions = consolidations.length + payouts.length;
  return {
    distribution: planned && (await getDistribution(tx, deps, planned.distributionId, tx.actor.id)),
    total_amount: unitsToDecimal(units),
    payouts: payouts.map((payout) => ({
      id: isDry ? null : payout.id,
      recipientAddress: payout.address,
      recipientType: payout.recipientType,
      amount: unitsToDecimal(payout.units),
      payableCount: payout.payableCount,
    })),
    recipients: isDry
      ? await listPaidRecipients(tx, { payableIds: payouts.flatMap((o) => o.payableIds) }, deps.now())
      : null,
    consolidations: { count: consolidations.length, amount: unitsToDecimal(sumOf(consolidations)) },
    from_address: checksum(community.walletAddress as `0x${string}`),
    transaction_count: transactions,
    expected_fee: await estimateFee(tx, transactions),
    remaining_amount: unitsToDecimal(sumOf(recipients) - units),
    needs_approval: waits,
    above_maximum:
      tooLarge.length === 0
        ? null
        : { maximum: unitsToDecimal(maximumUnits as bigint), payout_count: tooLarge.length },
    approval_reasons: { is_above_limit: isAbove, own_address_set_by: author },
    approval_limit:
      deps.rules.approvalAboveUnits === null
        ? null
        : {
            above: unitsToDecimal(deps.rules.approvalAboveUnits),
            ordered_for_community: unitsToDecimal(lately.byCommunity),
            ordered_by_caller: unitsToDecimal(lately.byPerson),
          },
  };
}

function aboveMaximum(payouts: readonly NewPayout[], maximumUnits: bigint): Refusal {
  const [first] = payouts;
  const which =
    payouts.length > 1 || !first
      ? `${payouts.length} payouts are`
      : `${unitsToDecimal(first.units)} USDT to ${first.address} is`;
  return new Refusal('above_maximum', {
    message: `${which} above the largest payout of ${unitsToDecimal(maximumUnits)} USDT. Allow it once, and two further super admins approve it.`,
  });
}

interface Decided {
  units: bigint;
  /** Another super admin must approve it. */
  waits: boolean;
  isAboveMaximum?: boolean;
  /** The payout run that it is part of. */
  runId?: string;
  payouts: readonly NewPayout[];
}

/** Writes a distribution and reserves its amounts; its transfers are ordered unless it waits. Its community is locked. */
export async function writeDistribution(
  tx: WriteTx,
  deps: PlanDeps,
  communityId: string,
  { units, waits, payouts, isAboveMaximum = false, runId }: Decided,
): Promise<{ distributionId: string; consolidations: Consolidation[] | null }> {
  const state = waits ? 'awaiting_approval' : 'approved';
  const distributionId = await insertDistribution(tx, { communityId, state, units, isAboveMaximum, runId });
  await insertPayouts(tx, { communityId, distributionId }, payouts);
  await claimShares(tx, payouts);
  const payoutIds = payouts.map(({ id }) => id);
  await setAside(tx, payoutIds);
  tx.audit({
    action: 'distribution.requested',
    target: { kind: 'community', id: communityId },
    after: {
      distribution_id: distributionId,
      state,
      amount: unitsToDecimal(units),
      payouts: payouts.length,
      ...(isAboveMaximum ? { above_maximum: true } : {}),
      ...(runId ? { run_id: runId } : {}),
    },
  });
  const consolidations = waits ? null : await orderPayoutTransfers(tx, deps, communityId, payoutIds);
  return { distributionId, consolidations };
}

/** Reserves the amounts of these payouts, so nothing else can promise them. */
async function setAside(tx: WriteTx, payoutIds: readonly string[]): Promise<void> {
  const shares = await listShares(tx, payoutIds);
  await translateOverdraft(
    reserveAll(
      tx,
      shares.map(({ payoutId, recipientType, units, ...invoice }) => ({
        source: { type: 'payout', id: payoutId },
        account: ledgerAccount.payable(invoice, recipientType),
        units,
      })),
    ),
  );
}
