import type { PoolMovement } from '@copydesk/contract/pools';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import { MAY_UNDO, usdt } from './arrivals.views.ts';

// For super admins, who see every row.

/**
 * What the exchange lists for a pool, newest first, beside what belongs to it on chain. A transaction identifies a
 * movement, and people may link a withdrawal to an arrival; amounts and senders only suggest, since the exchange may
 * list an amount with or without its fee.
 */
export async function listMovements(
  tx: Tx,
  poolId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ data: PoolMovement[]; total: number }> {
  const { rows } = await sql<{ movement: PoolMovement }>`
    SELECT json_build_object('id', m.record_id, 'kind', m.kind, 'state', m.state, 'venue_status', m.venue_status,
      'amount', ${usdt('m.amount_units')}, 'fee', ${usdt('m.fee_units')}, 'to_address', m.to_address,
      'transaction_hash', m.transaction_hash, 'at', app.iso(m.happened_at),
      'match', CASE
        WHEN same.id IS NOT NULL OR own.is_ours THEN 'matched'
        WHEN link.id IS NOT NULL THEN 'linked'
        WHEN near.id IS NOT NULL THEN 'suggested'
        WHEN m.state IN ('ended', 'under_way') AND m.transaction_hash IS NULL THEN 'waiting'
        WHEN m.kind = 'withdrawal' AND lower(m.to_address) <> lower(p.proxy_address) THEN 'elsewhere'
        ELSE 'unmatched' END,
      'arrival', CASE WHEN a.id IS NOT NULL THEN json_build_object('id', a.id, 'state', a.state,
        'amount', ${usdt('a.amount_units')}, 'from_address', a.from_address, 'transaction_hash', a.transaction_hash,
        'at', app.iso(a.seen_at)) END,
      'fits', near.fits, 'decision', link.decision) AS movement
    FROM (SELECT * FROM pool_movement WHERE pooled_account_id = ${poolId}
      ORDER BY happened_at DESC, record_id LIMIT ${limit} OFFSET ${offset}) m
    JOIN pooled_account p ON p.id = m.pooled_account_id
    LEFT JOIN LATERAL (
      SELECT s.id FROM pool_arrival s
      WHERE m.kind = 'withdrawal' AND m.state <> 'ended' AND s.pooled_account_id = m.pooled_account_id
        AND s.transaction_hash = m.transaction_hash
      ORDER BY abs(s.amount_units - m.amount_units), s.id LIMIT 1) same ON true
    LEFT JOIN LATERAL (
      SELECT true AS is_ours FROM transfer_attempt t JOIN harvest_funding f ON f.transfer_id = t.transfer_id
        JOIN harvest_cycle h ON h.id = f.cycle_id
      WHERE m.kind = 'deposit' AND t.hash = m.transaction_hash AND h.pooled_account_id = m.pooled_account_id
      LIMIT 1) own ON true
    LEFT JOIN LATERAL (
      SELECT s.id, json_build_object('id', d.id, 'state', d.state, 'may_undo', ${MAY_UNDO}) AS decision
      FROM pool_arrival_decision d JOIN pool_arrival s ON s.id = d.arrival_id
      WHERE m.kind = 'withdrawal' AND same.id IS NULL AND d.movement_record_id = m.record_id
        AND s.pooled_account_id = m.pooled_account_id AND d.state IN ('proposed', 'sending', 'done')
      LIMIT 1) link ON true
    LEFT JOIN LATERAL (
      SELECT s.id, CASE WHEN lower(s.from_address) = lower(m.to_address) THEN 'sender' ELSE 'amount' END AS fits
      FROM pool_arrival s
      WHERE m.kind = 'withdrawal' AND m.state = 'done' AND same.id IS NULL AND link.id IS NULL
        AND s.pooled_account_id = m.pooled_account_id AND s.state = 'unexplained' AND s.decided_units = 0
        AND (lower(s.from_address) = lower(m.to_address)
          OR s.amount_units IN (m.amount_units, m.amount_units - coalesce(m.fee_units, 0)))
        AND NOT EXISTS (SELECT FROM pool_movement o WHERE o.pooled_account_id = m.pooled_account_id
          AND o.kind = 'withdrawal' AND o.transaction_hash = s.transaction_hash)
        AND NOT EXISTS (SELECT FROM pool_arrival_decision o WHERE o.arrival_id = s.id
          AND o.state IN ('proposed', 'sending'))
      ORDER BY lower(s.from_address) = lower(m.to_address) DESC, abs(s.amount_units - m.amount_units),
        abs(extract(epoch FROM s.seen_at - m.happened_at)), s.id LIMIT 1) near ON true
    LEFT JOIN pool_arrival a ON a.id = coalesce(same.id, link.id, near.id)
    ORDER BY m.happened_at DESC, m.record_id`.execute(tx.sql);
  const { rows: counted } = await sql<{ total: number }>`
    SELECT count(*)::int AS total FROM pool_movement m WHERE m.pooled_account_id = ${poolId}`.execute(tx.sql);
  return { data: rows.map(({ movement }) => movement), total: counted[0]?.total ?? 0 };
}
