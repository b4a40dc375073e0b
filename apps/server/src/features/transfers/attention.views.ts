import { GAS_DAYS } from '@copydesk/domain/attention';
import { sql } from 'kysely';
import type { AttentionSource } from '../../core/attention/attention-source.ts';

/** The stop of all payments. The person who asked to lift it waits for another super admin. */
export const stoppedPayments: AttentionSource = {
  items: () => ({
    from: sql`transfer_stop s LEFT JOIN transfer_stop_lift l ON l.stop_id = s.id AND l.state = 'waiting'
      WHERE s.lifted_at IS NULL`,
    subject: sql`s.id::text`,
    since: sql`s.stopped_at`,
    code: sql`CASE WHEN l.id IS NULL THEN s.origin ELSE 'lift_asked' END`,
    authorId: sql`l.requested_by_id`,
  }),
  about: null,
};

export const frozenWallets: AttentionSource = {
  items: () => ({
    from: sql`chain_wallet w WHERE w.frozen_because IS NOT NULL`,
    subject: sql`w.id::text`,
    since: sql`w.frozen_at`,
    code: sql`w.frozen_because`,
  }),
  about: {
    from: sql`chain_wallet w
      LEFT JOIN pooled_account p ON p.id = w.owner_id AND w.role IN ('pool_deposit', 'pool_proxy')
      LEFT JOIN community c ON c.id = coalesce(p.community_id, w.owner_id)
      LEFT JOIN trader t ON t.id = w.owner_id AND w.role = 'deposit' WHERE w.id = i.subject::uuid`,
    columns: {
      title: sql`CASE WHEN w.role = 'gas' THEN 'the gas wallet' ELSE coalesce(c.name, t.reference_number, t.name, w.address) END`,
      communityId: sql`c.id`,
      poolId: sql`p.id`,
      traderId: sql`t.id`,
    },
  },
};

/** The fees of this many latest transactions tell how long the coin lasts. */
const FEES = sql.lit(2_000);

export const lowGas: AttentionSource = {
  items: () => ({
    from: sql`(SELECT h.chain_id, h.gas_wei, h.gas_read_at FROM transfer_heartbeat h WHERE h.gas_wei IS NOT NULL
        ORDER BY h.looked_at DESC LIMIT 1) h CROSS JOIN LATERAL (
        SELECT coalesce(sum(a.fee_wei) / greatest(extract(epoch FROM now() - min(a.created_at)) / 86400, 1), 0) AS a_day
        FROM (SELECT f.fee_wei, f.created_at FROM transfer_attempt f WHERE f.block_number IS NOT NULL
          ORDER BY f.block_number DESC LIMIT ${FEES}) a WHERE a.created_at > now() - interval '7 days') spent
      WHERE h.gas_wei < spent.a_day * ${sql.lit(GAS_DAYS)} OR h.gas_wei = 0`,
    subject: sql`h.chain_id::text`,
    since: sql`h.gas_read_at`,
    code: sql`CASE WHEN h.gas_wei = 0 THEN 'none' ELSE 'little' END`,
    // `since` is the time of the last reading, so earlier marks may be about the same shortage.
    marksFrom: sql`now() - interval '7 days'`,
  }),
  about: null,
};

export const waitingOrders: AttentionSource = {
  items: () => ({
    from: sql`money_order o WHERE o.state = 'awaiting_approval'`,
    subject: sql`o.id::text`,
    since: sql`o.requested_at`,
    amountUnits: sql`nullif(o.amount_units, 0)`,
    code: sql`o.act`,
    authorId: sql`o.requested_by_id`,
  }),
  about: {
    from: sql`money_order o LEFT JOIN community c ON c.id = o.community_id WHERE o.id = i.subject::uuid`,
    columns: { title: sql`c.name`, communityId: sql`c.id`, poolId: sql`o.pooled_account_id` },
  },
};
