import { type PayoutProblem, payableAt, withinLimits } from '@copydesk/domain/payouts';
import { allPurposes, purposeOf } from '../../../../core/transfers/transfer-purpose.ts';
import { WHOLE_SCOPE, type WriteTx } from '../../../../platform/db/database.ts';
import { WORKER_ACTOR } from '../../../../platform/work/worker-actor.ts';
import type { TransferEngine } from '../engine.ts';
import { claimLimit, listHeldByDay, listTowardLimit, recordProblems } from '../transfers.store.ts';
import { AGAIN_LATER_MS, type Prepared } from './prepare.ts';

const DAY_MS = 86_400_000;

/**
 * The transfers within the bounds of the worker's own environment, whatever the database says; notes why the others
 * wait. They hold for every purpose: tokens between own wallets and of pools, and coin that is ordered.
 */
export async function withinHardBounds(
  { db, now, hardMaxUnits, gasBounds }: TransferEngine,
  prepared: readonly Prepared[],
): Promise<Prepared[]> {
  const problemOf = ({ transfer: { token, units } }: Prepared): PayoutProblem | null => {
    if (token === null) return units > gasBounds.perTopup ? 'gas_limit_reached' : null;
    return hardMaxUnits !== null && units > hardMaxUnits ? 'over_hard_max' : null;
  };
  const problems = prepared.flatMap((each) => {
    const problem = problemOf(each);
    return problem ? [{ transferId: each.transfer.id, problem, detail: null }] : [];
  });
  if (problems.length > 0)
    await db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) =>
      recordProblems(tx, problems, new Date(now().getTime() + AGAIN_LATER_MS)),
    );
  return prepared.filter((each) => problemOf(each) === null);
}

/**
 * Returns the transfers within the limits on payments to others, and notes why the others wait. Its own transaction
 * counts them toward the limit of the day before they are signed: the lock of that limit, which all communities share,
 * is not held while a wallet signs. A claim that is not signed counts for a day, or until the transfer is void, or
 * claimed again: less than the limit may go out, and never more.
 */
export async function claimWithinLimits(
  { db, limits, now, purposes }: TransferEngine,
  prepared: readonly Prepared[],
): Promise<Prepared[]> {
  const isLimited = ({ transfer }: Prepared) => purposeOf(purposes, transfer.kind).goesTo === 'others';
  if (!prepared.some(isLimited) || (limits.perTransaction === null && limits.perDay === null))
    return [...prepared];
  const kinds = allPurposes(purposes).flatMap(([kind, { goesTo }]) => (goesTo === 'others' ? [kind] : []));
  const limited = prepared.filter(isLimited).map((each) => ({
    each,
    units: each.transfer.units,
    isAllowedOnce: each.transfer.isAllowedOnce,
  }));
  const idOf = ({ each }: { each: Prepared }) => each.transfer.id;
  const at = now();
  return db.write(WHOLE_SCOPE, WORKER_ACTOR, async (tx) => {
    const range = { since: new Date(at.getTime() - DAY_MS), besides: limited.map(idOf) };
    const counted = limits.perDay === null ? [] : await listTowardLimit(tx, kinds, range);
    const sum = counted.reduce((all, { units }) => all + units, 0n);
    const { allowed, overTransaction, overDay } = withinLimits(limited, limits, sum);
    if (limits.perDay !== null && allowed.length > 0) await claimLimit(tx, allowed.map(idOf), at);
    const goesOut = [...counted, ...allowed.map(({ units }) => ({ units, at }))];
    const days =
      limits.perDay === null ? null : await daysOf(tx, overDay.map(idOf), goesOut, limits.perDay, at);
    const problems = [
      ...overTransaction.map(({ each }) => ({ each, problem: 'over_transaction_limit' as const })),
      ...overDay.map(({ each }) => ({ each, problem: 'over_day_limit' as const })),
    ].map(({ each, problem }) => ({
      transferId: each.transfer.id,
      problem,
      detail: days?.get(each.transfer.id) ?? null,
    }));
    if (problems.length > 0) await recordProblems(tx, problems, new Date(at.getTime() + AGAIN_LATER_MS));
    return [...prepared.filter((each) => !isLimited(each)), ...allowed.map(({ each }) => each)];
  });
}

/** When each of these transfers will be paid, as an ISO time: after those that the limit held up before them. */
async function daysOf(
  tx: WriteTx,
  ids: readonly string[],
  counted: readonly { units: bigint; at: Date }[],
  perDay: bigint,
  at: Date,
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const waiting = await listHeldByDay(tx, ids);
  const times = payableAt(waiting, counted, perDay, at);
  return new Map(waiting.map(({ id }, index) => [id, (times[index] ?? at).toISOString()]));
}
