import { withinLimits } from '@copydesk/domain';
import { allPurposes, purposeOf } from '../../../core/transfers/transfer-purpose.ts';
import type { WriteTx } from '../../../platform/db/database.ts';
import type { TransferEngine } from './engine.ts';
import { AGAIN_LATER_MS, type Prepared } from './prepare.ts';
import { noteProblems, sumSentSince } from './transfers.store.ts';

const DAY_MS = 86_400_000;

/** Returns the transfers within the limits on payments to others, and notes why the others wait. */
export async function keepLimits(
  { limits, now, purposes }: TransferEngine,
  tx: WriteTx,
  prepared: readonly Prepared[],
): Promise<Prepared[]> {
  const isLimited = ({ transfer }: Prepared) => purposeOf(purposes, transfer.kind).paysOthers;
  if (!prepared.some(isLimited) || (limits.perTransaction === null && limits.perDay === null))
    return [...prepared];
  const kinds = allPurposes(purposes).flatMap(([kind, { paysOthers }]) => (paysOthers ? [kind] : []));
  const limited = prepared.filter(isLimited).map((each) => ({ each, units: each.transfer.units }));
  const { allowed, overTransaction, overDay } = withinLimits(
    limited,
    limits,
    await sumSentSince(tx, kinds, new Date(now().getTime() - DAY_MS)),
  );
  const problems = [
    ...overTransaction.map(({ each }) => ({ each, problem: 'over_transaction_limit' as const })),
    ...overDay.map(({ each }) => ({ each, problem: 'over_day_limit' as const })),
  ].map(({ each, problem }) => ({ transferId: each.transfer.id, problem, detail: null }));
  if (problems.length > 0) await noteProblems(tx, problems, new Date(now().getTime() + AGAIN_LATER_MS));
  return [...prepared.filter((each) => !isLimited(each)), ...allowed.map(({ each }) => each)];
}
