import { z } from 'zod';
import type { Page } from '../../paging/page-trail.ts';
import { readPages } from '../../paging/read-pages.ts';
import { DAY_MS, type TimeRange } from '../../paging/windows.ts';
import type { DepositProblem, DepositRecord } from '../../pool-records.ts';
import { identifier, optionalTimeMs, readShape } from '../../shapes/read-shape.ts';
import type { Session } from '../../venue.ts';
import { BYBIT_POOL } from './pool-endpoints.ts';
import { distinctById, windowsOf } from './pool-pages.ts';
import { COIN, count, optionalText, optionalUnits, units } from './pool-shapes.ts';

const ROWS = 50;
/** Less than 30 days a request, in whole seconds. */
const WINDOW_MS = 29 * DAY_MS;

const row = z.object({
  id: identifier,
  coin: z.literal(COIN),
  chain: z.string(),
  amount: units,
  txID: z.string(),
  status: count,
  toAddress: z.string(),
  depositFee: optionalUnits,
  successAt: optionalTimeMs,
  depositType: identifier,
});

const depositsAnswer = z.object({
  result: z.object({ rows: z.array(row), nextPageCursor: optionalText }),
});

const CREDITED: ReadonlySet<number> = new Set([3, 70_012]);
const UNDER_WAY: ReadonlySet<number> = new Set([1, 2, 10_011, 10_012]);
const PROBLEM_STATUSES: Record<number, DepositProblem> = {
  4: 'failed',
  7: 'rolling_back',
  70011: 'rolled_back',
  70013: 'rollback_failed',
};
/** https://bybit-exchange.github.io/docs/v5/asset/deposit/deposit-record: `0` is a normal deposit. */
const PROBLEM_TYPES: Record<string, DepositProblem> = {
  10: 'daily_limit',
  20: 'held_for_review',
  50: 'blocked',
};

type State = Pick<DepositRecord, 'state' | 'problem'>;

/**
 * A rollback takes precedence over a hold. A type that is not documented may be a hold as well, so its
 * deposit is not credited.
 */
export function depositState(status: number, depositType: string): State {
  const problem = PROBLEM_STATUSES[status] ?? PROBLEM_TYPES[depositType];
  if (problem) return { state: 'problem', problem };
  if (depositType !== '0') return { state: 'unknown', problem: null };
  if (CREDITED.has(status)) return { state: 'credited', problem: null };
  return { state: UNDER_WAY.has(status) ? 'under_way' : 'unknown', problem: null };
}

function toDeposit(from: z.infer<typeof row>): DepositRecord {
  return {
    id: from.id,
    chain: from.chain,
    txId: from.txID.toLowerCase(),
    amountUnits: from.amount,
    feeUnits: from.depositFee,
    toAddress: from.toAddress,
    status: from.status,
    ...depositState(from.status, from.depositType),
    creditedAt: from.successAt,
  };
}

/** @param answer of GET /v5/asset/deposit/query-record */
export function readBybitDeposits(answer: unknown): Page<DepositRecord> {
  const { rows, nextPageCursor } = readShape(depositsAnswer, answer).result;
  return { rows: rows.map(toDeposit), nextCursor: nextPageCursor };
}

export async function listBybitDeposits(
  session: Session,
  filter: { txId: string } | TimeRange,
): Promise<DepositRecord[]> {
  const list = (params: Record<string, unknown>) =>
    readPages(
      session,
      { endpoint: BYBIT_POOL.deposits, params: { coin: COIN, limit: ROWS, ...params } },
      readBybitDeposits,
      ({ id }) => id,
    );
  if ('txId' in filter) {
    const wanted = filter.txId.toLowerCase();
    return (await list({ txID: filter.txId })).filter(({ txId }) => txId === wanted);
  }
  const all: DepositRecord[] = [];
  for (const { sinceMs, untilMs } of windowsOf(filter, WINDOW_MS).reverse())
    all.push(...(await list({ startTime: sinceMs, endTime: untilMs })));
  return distinctById(all);
}
