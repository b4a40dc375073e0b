import type { CallAnswer } from '@copydesk/contract';
import { unitsToDecimal } from '@copydesk/domain';
import type { Tx } from '../../platform/db/database.ts';
import { ApiError } from '../../platform/http/api-error.ts';
import type { ApproverRules } from './approvers.ts';
import { listAwaiting } from './distributions.views.ts';
import { type Recipients, sortByAddress, sumOf } from './payable-recipients.ts';
import { findPayingCommunity, type PayingCommunity } from './paying-community.store.ts';
import type { PayoutSettings } from './payout-deps.ts';
import { listPendingLines, type PendingLine } from './pending-shares.views.ts';

type Pending = Omit<
  CallAnswer<'GET /api/super-admin/communities/{id}/pending-distributions'>,
  'success' | 'message'
>;
type Withdrawable = CallAnswer<'GET /api/communities/{id}/available-for-withdrawal'>['data'];

/** What a community owes its recipients, and what waits for approval. */
export async function readPending(
  tx: Tx,
  settings: PayoutSettings & ApproverRules,
  communityId: string,
  callerId: string,
): Promise<Pending> {
  const { recipients, unaddressed } = await read(tx, settings, communityId);
  const { approvalAboveUnits } = settings;
  return {
    totalAmount: unitsToDecimal(sumOf(recipients)),
    recipients: recipients.map((line) => ({
      recipientAddress: line.address,
      recipientType: line.recipientType,
      ...written(line),
    })),
    unaddressed: unaddressed.map((line) => ({ recipientType: line.recipientType, ...written(line) })),
    awaiting: await listAwaiting(tx, settings, communityId, callerId),
    approvalAbove: approvalAboveUnits === null ? null : unitsToDecimal(approvalAboveUnits),
  };
}

/** The community's own share: what a withdrawal pays, or would pay if there were an address. */
export async function readWithdrawable(
  tx: Tx,
  settings: PayoutSettings,
  communityId: string,
): Promise<Withdrawable> {
  const { community, recipients, unaddressed } = await read(tx, settings, communityId);
  const own = recipients.filter(({ recipientType }) => recipientType === 'community');
  const lines = own.length > 0 ? own : unaddressed.filter((line) => line.recipientType === 'community');
  return {
    amount: unitsToDecimal(sumOf(lines)),
    payable_count: lines.reduce((sum, { payableCount }) => sum + payableCount, 0),
    // One that must not be paid is as none.
    address: own[0]?.address ?? (lines.length === 0 ? community.externalAddress : null),
  };
}

const written = ({ units, payableCount }: Pick<PendingLine, 'units' | 'payableCount'>) => ({
  amount: unitsToDecimal(units),
  payableCount,
});

async function read(
  tx: Tx,
  settings: PayoutSettings,
  communityId: string,
): Promise<Recipients<PendingLine> & { community: PayingCommunity }> {
  const community = await findPayingCommunity(tx, communityId);
  if (!community) throw new ApiError('not_found');
  return { community, ...(await sortByAddress(tx, settings, await listPendingLines(tx, communityId))) };
}
