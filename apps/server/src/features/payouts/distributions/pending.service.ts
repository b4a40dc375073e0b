import type { CallAnswer } from '@copydesk/contract';
import { unitsToDecimal } from '@copydesk/domain/money';
import {
  type ApprovalRefusal,
  type ApproverRules,
  readApprovers,
} from '../../../core/transfers/orders/approvers.views.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { findPayingCommunity, type PayingCommunity } from '../paying-community.store.ts';
import { type Hold, listPendingLines, type PendingLine } from '../pending-shares.views.ts';
import type { PayoutSettings } from '../plan-deps.ts';
import { listAwaiting } from './distributions.views.ts';
import { type Recipients, sortByAddress, sumOf } from './payable-recipients.ts';

type Pending = Omit<
  CallAnswer<'GET /api/super-admin/communities/{id}/pending-distributions'>,
  'success' | 'message'
>;
type Withdrawable = CallAnswer<'GET /api/communities/{id}/available-for-withdrawal'>['data'];

/** The amounts that a community owes its recipients, and the distributions that await approval. */
export async function readPending(
  tx: Tx,
  settings: PayoutSettings & ApproverRules,
  communityId: string,
  callerId: string,
): Promise<Pending> {
  const { recipients, held, unaddressed } = await read(tx, settings, communityId);
  const { approvalAboveUnits } = settings.rules;
  const authors = held.flatMap(({ hold }) => ('changedById' in hold ? hold.changedById : []));
  const refusalOf = await readApprovers(tx, settings, callerId, [...new Set(authors)]);
  return {
    totalAmount: unitsToDecimal(sumOf(recipients)),
    recipients: recipients.map((line) => ({
      recipientAddress: line.address,
      recipientType: line.recipientType,
      ...written(line),
    })),
    held: held.map((line) => ({
      recipientAddress: line.address,
      recipientType: line.recipientType,
      ...written(line),
      ...shownHold(line.hold, refusalOf),
    })),
    unaddressed: unaddressed.map((line) => ({ recipientType: line.recipientType, ...written(line) })),
    awaiting: await listAwaiting(tx, settings, communityId, callerId),
    approvalAbove: approvalAboveUnits === null ? null : unitsToDecimal(approvalAboveUnits),
  };
}

/** The community's own share: the amount of a withdrawal, even while it has no address to go to. */
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
    // An address that must not be paid counts as none.
    address: own[0]?.address ?? (lines.length === 0 ? community.externalAddress : null),
  };
}

const written = ({ units, payableCount }: Pick<PendingLine, 'units' | 'payableCount'>) => ({
  amount: unitsToDecimal(units),
  payableCount,
});

function shownHold(hold: Hold, refusalOf: (authorId: string) => ApprovalRefusal | null) {
  if (!('changedById' in hold))
    return {
      reason: hold.reason,
      payableFrom: null,
      awaitsRelease: false,
      changeId: null,
      canRelease: false,
      ownerWord: null,
    };
  const { reason, payableFrom, awaitsRelease, changeId, changedById, ownerWord } = hold;
  return {
    reason,
    payableFrom,
    awaitsRelease,
    changeId: awaitsRelease ? changeId : null,
    canRelease: awaitsRelease && refusalOf(changedById) === null,
    ownerWord,
  };
}

async function read(
  tx: Tx,
  settings: PayoutSettings,
  communityId: string,
): Promise<Recipients<PendingLine> & { community: PayingCommunity }> {
  const community = await findPayingCommunity(tx, communityId);
  if (!community) throw new Refusal('not_found');
  const { chainId } = settings;
  const { addressHoldHours: holdHours } = settings.rules;
  const lines = await listPendingLines(tx, { communityIds: [communityId], chainId, holdHours });
  return { community, ...(await sortByAddress(tx, settings, lines)) };
}
