import { z } from 'zod';
import type { Page } from '../../paging/page-trail.ts';
import { readPages } from '../../paging/read-pages.ts';
import { DAY_MS, type TimeRange } from '../../paging/windows.ts';
import type { WithdrawalRecord } from '../../pool-records.ts';
import { identifier, readShape, timeMs } from '../../shapes/read-shape.ts';
import type { Session } from '../../venue.ts';
import { BYBIT_POOL } from './pool-endpoints.ts';
import { requireMaster } from './pool-key.ts';
import { distinctById, windowsOf } from './pool-pages.ts';
import { COIN, optionalText, optionalUnits, units } from './pool-shapes.ts';

const ROWS = 50;
/** Less than 30 days a request. */
const WINDOW_MS = 29 * DAY_MS;
/** On chain and to other Bybit users: `withdrawType`. */
const ALL_TYPES = 2;

const row = z.object({
  withdrawId: identifier,
  coin: z.literal(COIN),
  txID: optionalText,
  amount: units,
  withdrawFee: units,
  tax: optionalUnits,
  toAddress: z.string(),
  status: z.string(),
  createTime: timeMs,
});

const withdrawalsAnswer = z.object({
  result: z.object({ rows: z.array(row), nextPageCursor: optionalText }),
});

const STATES: Record<string, WithdrawalRecord['state']> = {
  SecurityCheck: 'under_way',
  Pending: 'under_way',
  MoreInformationRequired: 'under_way',
  success: 'done',
  BlockchainConfirmed: 'done',
  CancelByUser: 'ended',
  Reject: 'ended',
  Fail: 'ended',
};

function toWithdrawal(from: z.infer<typeof row>): WithdrawalRecord {
  return {
    id: from.withdrawId,
    txId: from.txID?.toLowerCase() ?? null,
    amountUnits: from.amount,
    feeUnits: from.withdrawFee + (from.tax ?? 0n),
    toAddress: from.toAddress,
    status: from.status,
    state: STATES[from.status] ?? 'unknown',
    needsOwner: from.status === 'MoreInformationRequired',
    createdAt: from.createTime,
  };
}

/** @param answer of GET /v5/asset/withdraw/query-record */
export function readBybitWithdrawals(answer: unknown): Page<WithdrawalRecord> {
  const { rows, nextPageCursor } = readShape(withdrawalsAnswer, answer).result;
  return { rows: rows.map(toWithdrawal), nextCursor: nextPageCursor };
}

/** An empty list for the key of a subaccount would look like no withdrawal, so the key is checked first. */
export async function listBybitWithdrawals(session: Session, span: TimeRange): Promise<WithdrawalRecord[]> {
  await requireMaster(session);
  const all: WithdrawalRecord[] = [];
  for (const { sinceMs, untilMs } of windowsOf(span, WINDOW_MS).reverse())
    all.push(
      ...(await readPages(
        session,
        {
          endpoint: BYBIT_POOL.withdrawals,
          params: {
            coin: COIN,
            withdrawType: ALL_TYPES,
            startTime: sinceMs,
            endTime: untilMs,
            limit: ROWS,
          },
        },
        readBybitWithdrawals,
        ({ id }) => id,
      )),
    );
  return distinctById(all);
}
