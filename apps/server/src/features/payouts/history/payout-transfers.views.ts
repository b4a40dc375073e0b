import type { CallAnswer } from '@copydesk/contract';
import { sql } from 'kysely';
import type { AnyTx } from '../../../platform/db/database.ts';
import { usdt } from '../../../platform/db/usdt-text.ts';

type Detail = CallAnswer<'GET /api/sweep-operations/{id}'>['data'];
export type Transfers = Pick<Detail, 'transfers' | 'transfer_count'>;

/**
 * Maximum number of transfers in the details, most urgent first. A payout may need the deposits of thousands of
 * traders.
 */
const MAX_TRANSFERS = 50;

/** The transfers of a payout: failed ones first, then those under way. For super admins. */
export async function listTransfers(tx: AnyTx, payoutId: string): Promise<Transfers> {
  const { rows } = await sql<Transfers>`
    WITH mine AS (
      SELECT i.* FROM transfer i WHERE i.payout_id = ${payoutId}
      UNION ALL SELECT i.* FROM transfer i WHERE i.id IN (
        SELECT y.consolidation_id FROM payable y WHERE y.payout_id = ${payoutId}))
    SELECT (SELECT count(*)::int FROM mine) AS transfer_count, coalesce(json_agg(t.json ORDER BY t.place), '[]') AS transfers
    FROM (
      SELECT first.place, json_build_object('id', first.id, 'kind', first.kind, 'state', first.state,
        'from_address', w.address, 'to_address', first.to_address, 'amount', ${usdt(sql`first.amount_units`)},
        'nonce', first.nonce, 'problem', first.problem, 'problem_detail', first.problem_detail,
        'attempts', ${attempts}) AS json
      FROM (SELECT m.*, row_number() OVER (ORDER BY ${urgency}, m.kind, m.created_at DESC, m.id) AS place FROM mine m
        ORDER BY place LIMIT ${sql.lit(MAX_TRANSFERS)}) first
      JOIN chain_wallet w ON w.id = first.wallet_id) t`.execute(tx.sql);
  return rows[0] ?? { transfers: [], transfer_count: 0 };
}

const urgency = sql`CASE WHEN m.state IN ('reverted', 'cancelled') THEN 0 WHEN m.problem IS NOT NULL THEN 1
  WHEN m.state = 'sent' THEN 2 WHEN m.state = 'planned' THEN 3 WHEN m.state = 'void' THEN 4 ELSE 5 END`;

/** Attempts signed one after another for the same nonce, oldest first. Fees are wei. */
const attempts = sql`(
  SELECT coalesce(json_agg(json_build_object('hash', x.hash, 'attempt', x.attempt, 'is_cancel', x.is_cancel,
    'max_fee_gwei', trim_scale(x.max_fee_wei * 0.000000001)::text, 'created_at', app.iso(x.created_at),
    'broadcast_at', app.iso(x.broadcast_at), 'refusal', x.refusal, 'refusal_detail', x.refusal_detail, 'receipt', CASE WHEN x.block_number IS NOT NULL THEN json_build_object(
      'block_number', x.block_number, 'is_success', x.is_success, 'fee', ${usdt(sql`x.fee_wei`)}) END)
    ORDER BY x.attempt), '[]')
  FROM transfer_attempt x WHERE x.transfer_id = first.id)`;
