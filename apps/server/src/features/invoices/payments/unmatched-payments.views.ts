import type { CallAnswer } from '@copydesk/contract';
import { sql } from 'kysely';
import { communityJson, traderJson } from '../../../core/traders/trader-columns.ts';
import { isAwaitingApproval } from '../../../core/transfers/orders/orders.store.ts';
import type { AnyTx } from '../../../platform/db/database.ts';
import { traderInScope } from '../../../platform/db/scope-filter.ts';
import { usdt } from '../../../platform/db/usdt-text.ts';

type Unmatched = Pick<CallAnswer<'GET /api/payments/unmatched'>, 'data' | 'meta'>;

/** Unmatched payments, latest first. Row-level security shows them to super admins only. */
export async function listUnmatched(
  tx: AnyTx,
  { limit, offset }: { limit: number; offset: number },
): Promise<Unmatched> {
  const open = sql`p.open_units > 0 AND ${traderInScope(tx, 'p.trader_id')}`;
  const listed = sql`p.id IN (SELECT o.id FROM payment o WHERE o.open_units > 0
    UNION ALL SELECT c.payment_id FROM credit_return c WHERE c.state = 'sending') AND ${traderInScope(tx, 'p.trader_id')}`;
  const latestFirst = sql`p.received_at DESC, p.id`;
  const { rows } = await sql<Unmatched>`
    SELECT (SELECT json_build_object('total', (SELECT count(*)::int FROM payment p WHERE ${listed}),
        'waiting', count(*)::int, 'total_amount', ${usdt(sql`coalesce(sum(p.open_units), 0)`)},
        'returning', (SELECT count(*)::int FROM credit_return c JOIN payment p ON p.id = c.payment_id
          WHERE c.state = 'sending' AND ${traderInScope(tx, 'p.trader_id')})) FROM payment p WHERE ${open}) AS meta,
      (SELECT coalesce(json_agg(r), '[]') FROM (
        SELECT p.id, ${traderJson(sql`, 'community', ${communityJson}, 'payout_address', t.external_wallet_address`)} AS trader,
          ${usdt(sql`p.amount_units`)} AS amount, ${usdt(sql`p.open_units`)} AS open_amount, p.transaction_hash,
          ${isAwaitingApproval(sql`p.id`)} AS is_awaiting_approval, app.iso(p.received_at) AS received_at,
          (SELECT json_build_object('amount', ${usdt(sql`r.amount_units`)}, 'to_address', i.to_address,
              'problem', i.problem, 'transaction_hash', (SELECT a.hash FROM transfer_attempt a
                WHERE a.transfer_id = i.id ORDER BY a.attempt DESC LIMIT 1))
            FROM credit_return r JOIN transfer i ON i.id = r.transfer_id
            WHERE r.payment_id = p.id AND r.state = 'sending' ORDER BY r.created_at DESC LIMIT 1) AS returning
        FROM (SELECT * FROM payment p WHERE ${listed} ORDER BY ${latestFirst} LIMIT ${limit} OFFSET ${offset}) p
        JOIN trader t ON t.id = p.trader_id JOIN community c ON c.id = t.community_id
        ORDER BY ${latestFirst}) r) AS data`.execute(tx.sql);
  return rows[0] as Unmatched;
}
