import type { CallAnswer } from '@copydesk/contract';
import type { RecipientType } from '@copydesk/domain/catalogue';
import { type RawBuilder, sql } from 'kysely';
import { type ApproverRules, readApprovers } from '../../../core/transfers/orders/approvers.views.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { usdt } from '../../../platform/db/usdt-text.ts';
import { listOfRun } from '../distributions/distributions.views.ts';

import type { RunLine } from './run-lines.ts';

type Detail = CallAnswer<'GET /api/super-admin/payout-runs/{id}'>['data'];
export type PayoutRun = Detail['run'];

/** More are in the run itself. */
const NAMED = 20;

type Row = PayoutRun & { requested_by_id: string };

/** A page of payout runs, newest first, and their total count. For super admins. */
export async function listRuns(
  tx: Tx,
  rules: ApproverRules,
  callerId: string,
  { isAwaiting, limit, offset }: { isAwaiting: boolean; limit: number; offset: number },
): Promise<{ data: PayoutRun[]; total: number }> {
  const condition = isAwaiting
    ? sql`r.id IN (SELECT d.run_id FROM distribution d WHERE d.state = 'awaiting_approval' AND d.run_id IS NOT NULL)`
    : sql`true`;
  const rows = await read(tx, condition, sql`LIMIT ${sql.lit(limit)} OFFSET ${sql.lit(offset)}`);
  const { rows: counted } = await sql<{ total: number }>`
    SELECT count(*)::int AS total FROM payout_run r WHERE ${condition}`.execute(tx.sql);
  return { data: await shownTo(tx, rules, callerId, rows), total: counted[0]?.total ?? 0 };
}

export async function getRun(tx: Tx, rules: ApproverRules, id: string, callerId: string): Promise<PayoutRun> {
  const [run] = await shownTo(tx, rules, callerId, await read(tx, sql`r.id = ${id}`));
  if (!run) throw new Error(`there is no payout run ${id}`);
  return run;
}

/** A run and its distributions; null: there is none. */
export async function findRunDetail(
  tx: Tx,
  rules: ApproverRules,
  id: string,
  callerId: string,
): Promise<Detail | null> {
  const [run] = await shownTo(tx, rules, callerId, await read(tx, sql`r.id = ${id}`));
  return run ? { run, distributions: await listOfRun(tx, rules, callerId, id) } : null;
}

/** What a run pays to whom as it is now, largest first. */
export async function listRunLines(tx: Tx, id: string): Promise<(RunLine & { payableCount: number })[]> {
  const { rows } = await sql<{
    community_id: string;
    address: string;
    recipient_type: RecipientType;
    units: string;
    payables: number;
  }>`
    SELECT o.community_id, o.recipient_address AS address, o.recipient_type, o.amount_units::text AS units,
      (SELECT count(*)::int FROM payable y WHERE y.payout_id = o.id) AS payables
    FROM distribution d JOIN payout o ON o.distribution_id = d.id WHERE d.run_id = ${id}
    ORDER BY o.amount_units DESC, o.id`.execute(tx.sql);
  return rows.map(({ community_id, address, recipient_type, units, payables }) => ({
    communityId: community_id,
    address,
    recipientType: recipient_type,
    units: BigInt(units),
    payableCount: payables,
  }));
}

async function read(tx: Tx, condition: RawBuilder<unknown>, page = sql``): Promise<Row[]> {
  const { rows } = await sql<{ run: Row }>`
    SELECT json_build_object('id', r.id, 'state', d.state, 'total_amount', ${usdt(sql`r.amount_units`)},
      'communities', d.named, 'community_count', r.communities, 'payout_count', o.all, 'requested_by', r.requested_by,
      'requested_by_id', r.requested_by_id, 'decided_by', d.decided_by, 'created_at', app.iso(r.created_at),
      'decided_at', app.iso(d.decided_at), 'payouts', json_build_object('distributed', o.distributed,
        'failed', o.failed, 'under_way', o.all - o.distributed - o.failed),
      'carried_amount', ${usdt(sql`r.carried_units`)}) AS run
    FROM payout_run r
    CROSS JOIN LATERAL (SELECT min(d.state) AS state, min(d.decided_by) AS decided_by, max(d.decided_at) AS decided_at,
        (array_agg(json_build_object('id', c.id, 'name', c.name) ORDER BY d.amount_units DESC, c.name)
        )[:${sql.lit(NAMED)}] AS named
      FROM distribution d JOIN community c ON c.id = d.community_id WHERE d.run_id = r.id) d
    CROSS JOIN LATERAL (SELECT count(*)::int AS all, count(*) FILTER (WHERE o.status = 'distributed')::int AS distributed,
        count(*) FILTER (WHERE o.status = 'failed')::int AS failed
      FROM distribution m JOIN payout o ON o.distribution_id = m.id WHERE m.run_id = r.id) o
    WHERE ${condition} ORDER BY r.created_at DESC, r.id DESC ${page}`.execute(tx.sql);
  return rows.map(({ run }) => run);
}

async function shownTo(
  tx: Tx,
  rules: ApproverRules,
  callerId: string,
  rows: readonly Row[],
): Promise<PayoutRun[]> {
  const waiting = rows.filter(({ state }) => state === 'awaiting_approval');
  const refusalOf = await readApprovers(tx, rules, callerId, [
    ...new Set(waiting.map(({ requested_by_id }) => requested_by_id)),
  ]);
  return rows.map(({ requested_by_id: requesterId, ...run }) => ({
    ...run,
    is_own: requesterId === callerId,
    approval_refusal: run.state === 'awaiting_approval' ? refusalOf(requesterId) : null,
  }));
}
