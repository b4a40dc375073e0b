import type { CallAnswer } from '@copydesk/contract';
import { unitsToDecimal } from '@copydesk/domain/money';
import { ALLOW_ONCE_APPROVALS } from '@copydesk/domain/payouts';
import { type RawBuilder, sql } from 'kysely';
import { communityJson } from '../../../core/traders/trader-columns.ts';
import { type ApproverRules, readApprovers } from '../../../core/transfers/orders/approvers.views.ts';
import { recentFeeWei } from '../../../core/transfers/recent-fee.views.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { communityInScope } from '../../../platform/db/scope-filter.ts';
import { usdt } from '../../../platform/db/usdt-text.ts';
import { Refusal } from '../../../platform/refusal.ts';

import { type Progress, readProgress } from './distribution-progress.views.ts';

type Listed = CallAnswer<'GET /api/super-admin/communities/{id}/distributions'>['data'][number];

interface Page {
  limit: number;
  offset: number;
}

/** A page of a community's distributions, newest first, and their total count. */
export function listDistributions(
  tx: Tx,
  rules: ApproverRules,
  communityId: string,
  callerId: string,
  page: Page,
): Promise<{ data: Listed[]; total: number }> {
  return readPage(tx, rules, callerId, sql`d.community_id = ${communityId}`, page);
}

/**
 * A page of distributions that wait for another super admin, newest first, and their total count.
 * @param communityId without it, those of any community that are decided alone
 */
export function listAllAwaiting(
  tx: Tx,
  rules: ApproverRules,
  callerId: string,
  { communityId, ...page }: Page & { communityId?: string | undefined },
): Promise<{ data: Listed[]; total: number }> {
  const ofCommunity = communityId ? sql`d.community_id = ${communityId}` : sql`d.run_id IS NULL`;
  return readPage(tx, rules, callerId, sql`d.state = 'awaiting_approval' AND ${ofCommunity}`, page);
}

async function readPage(
  tx: Tx,
  rules: ApproverRules,
  callerId: string,
  condition: RawBuilder<unknown>,
  { limit, offset }: Page,
): Promise<{ data: Listed[]; total: number }> {
  const page = sql`LIMIT ${sql.lit(limit)} OFFSET ${sql.lit(offset)}`;
  const data = await read(tx, rules, callerId, condition, page);
  const { rows } = await sql<{ total: number }>`SELECT count(*)::int AS total FROM distribution d
    WHERE ${condition} AND ${communityInScope(tx, 'd.community_id')}`.execute(tx.sql);
  return { data, total: rows[0]?.total ?? 0 };
}

/** Distributions of a community that wait for another super admin, newest first. */
export function listAwaiting(
  tx: Tx,
  rules: ApproverRules,
  communityId: string,
  callerId: string,
): Promise<Listed[]> {
  return read(tx, rules, callerId, sql`d.community_id = ${communityId} AND d.state = 'awaiting_approval'`);
}

/** The distributions of a payout run, largest first. */
export const listOfRun = (tx: Tx, rules: ApproverRules, callerId: string, runId: string): Promise<Listed[]> =>
  read(tx, rules, callerId, sql`d.run_id = ${runId}`, sql``, sql`d.amount_units DESC, d.id`);

/** Whether a distribution was decided; null: it does not exist. */
export async function findState(tx: Tx, id: string): Promise<Listed['state'] | null> {
  const { rows } = await sql<{ state: Listed['state'] }>`
    SELECT d.state FROM distribution d
    WHERE d.id = ${id} AND ${communityInScope(tx, 'd.community_id')}`.execute(tx.sql);
  return rows[0]?.state ?? null;
}

export async function getDistribution(
  tx: Tx,
  rules: ApproverRules,
  id: string,
  callerId: string,
): Promise<Listed> {
  const [distribution] = await read(tx, rules, callerId, sql`d.id = ${id}`);
  if (!distribution) throw new Error(`there is no distribution ${id}`);
  return distribution;
}

async function read(
  tx: Tx,
  rules: ApproverRules,
  callerId: string,
  condition: RawBuilder<unknown>,
  page = sql``,
  order = sql`d.created_at DESC, d.id`,
): Promise<Listed[]> {
  const { rows } = await sql<Row>`
    SELECT d.id, d.run_id, ${communityJson} AS community, d.state, d.amount_units::text AS units, d.requested_by, d.requested_by_id,
      d.requested_by_id = ${callerId} AS is_own, d.decided_by, d.is_above_maximum, d.first_approved_by_id,
      d.first_approved_by,
      app.iso(d.created_at) AS created_at, app.iso(d.decided_at) AS decided_at,
      paid.payouts AS payout_count, (d.amount_units - paid.units)::text AS returned_units,
      CASE WHEN paid.units < d.amount_units THEN ${returnedByTrader} ELSE '[]' END AS returned
    FROM distribution d JOIN community c ON c.id = d.community_id
    CROSS JOIN LATERAL (SELECT count(*)::int AS payouts, coalesce(sum(o.amount_units), 0) AS units
      FROM payout o WHERE o.distribution_id = d.id) paid
    WHERE ${condition} AND ${communityInScope(tx, 'd.community_id')}
    ORDER BY ${order} ${page}`.execute(tx.sql);
  const awaiting = rows.filter(({ state }) => state === 'awaiting_approval');
  const refusalOf = await readApprovers(
    tx,
    rules,
    callerId,
    awaiting.flatMap(({ requested_by_id, first_approved_by_id: first }) => [
      requested_by_id,
      ...(first === null ? [] : [first]),
    ]),
  );
  const approved = rows.filter(({ state }) => state === 'approved').map(({ id }) => id);
  const progressOf = await readProgress(tx, approved, rules.now());
  const refusalOfRow = ({ requested_by_id: requester, first_approved_by_id: first }: Row) => {
    if (first === callerId)
      return { code: 'approved_already', message: new Refusal('approved_already').message } as const;
    return refusalOf(requester) ?? (first === null ? null : refusalOf(first));
  };
  return rows.map((listed) => {
    const {
      units,
      returned_units,
      requested_by_id,
      is_above_maximum,
      first_approved_by_id,
      first_approved_by,
      ...row
    } = listed;
    return {
      ...row,
      ...(progressOf.get(row.id) ?? notBegun(row)),
      total_amount: unitsToDecimal(BigInt(units)),
      returned_amount: unitsToDecimal(BigInt(returned_units)),
      approvals: {
        needed: is_above_maximum ? ALLOW_ONCE_APPROVALS : 1,
        given_by: first_approved_by === null ? [] : [first_approved_by],
      },
      approval_refusal: row.state === 'awaiting_approval' ? refusalOfRow(listed) : null,
    };
  });
}

const RETURNED_SHOWN = 20;

/** The traders whose shares left the payouts of a distribution `d`. */
const returnedByTrader = sql`(
  SELECT coalesce(json_agg(r.json ORDER BY r.units DESC), '[]') FROM (
    SELECT sum(s.amount_units) AS units, json_build_object('trader', json_build_object('id', t.id,
      'reference_number', t.reference_number), 'amount', ${usdt(sql`sum(s.amount_units)`)}) AS json
    FROM payout o JOIN payout_returned_share s ON s.payout_id = o.id JOIN payable y ON y.id = s.payable_id
    JOIN invoice i ON i.id = y.invoice_id JOIN trader t ON t.id = i.trader_id
    WHERE o.distribution_id = d.id GROUP BY t.id ORDER BY 1 DESC LIMIT ${sql.lit(RETURNED_SHOWN)}) r)`;

type Row = Omit<
  Listed,
  'approval_refusal' | 'approvals' | 'total_amount' | 'returned_amount' | keyof Progress
> & {
  units: string;
  /** The part of the ordered amount that its payouts no longer pay. */
  returned_units: string;
  requested_by_id: string;
  is_above_maximum: boolean;
  first_approved_by_id: string | null;
  first_approved_by: string | null;
};

/** Progress of a distribution that awaits approval or was declined: nothing is sent. */
const notBegun = ({ state, payout_count }: Pick<Row, 'state' | 'payout_count'>): Progress => ({
  progress: null,
  payouts: {
    distributed: 0,
    failed: state === 'declined' ? payout_count : 0,
    under_way: state === 'declined' ? 0 : payout_count,
    ordered_again: 0,
  },
  standstill: null,
});

/** Estimates the cost of this many transactions from recent fees, BNB; null when no fee is known yet. */
export async function estimateFee(tx: Tx, transactions: number): Promise<string | null> {
  const wei = await recentFeeWei(tx);
  return wei === null ? null : unitsToDecimal(wei * BigInt(transactions));
}
