import { sql } from 'kysely';
import type { FigureGroup } from './figure-group.ts';

/** The fees of this many latest transactions tell how long the gas lasts. */
const FEES = sql.lit(2_000);

export const frozenWallets: FigureGroup = {
  labels: ['role', 'reason'],
  metrics: {
    wallets: {
      name: 'copydesk_wallets_frozen',
      help: 'Wallets that send nothing until a person has reviewed them',
    },
  },
  statement: () => sql`
    SELECT w.role, w.frozen_because AS reason, count(*)::int AS wallets FROM chain_wallet w
    WHERE w.frozen_because IS NOT NULL GROUP BY 1, 2`,
};

/** Coin goes to every address that sends, but all of it comes from the gas wallet and ends as fees. */
export const gas: FigureGroup = {
  labels: [],
  metrics: {
    coins: { name: 'copydesk_gas_coins', help: 'Coin of the gas wallet, as a worker last read it' },
    read_age: {
      name: 'copydesk_gas_read_age_seconds',
      help: 'Seconds since a worker read the coin of the gas wallet',
    },
    per_day: {
      name: 'copydesk_gas_spent_coins_per_day',
      help: 'Fees of a day, on the average of at most the last seven',
    },
    days: {
      name: 'copydesk_gas_days_left',
      help: 'Days that the coin of the gas wallet lasts; +Inf: no fees lately',
    },
  },
  statement: () => sql`
    SELECT wei / 1e18 AS coins, read_age, spent / 1e18 AS per_day,
      CASE WHEN spent > 0 THEN (wei / spent)::float8 WHEN wei = 0 THEN 0 ELSE 'Infinity' END AS days
    FROM (
      SELECT h.gas_wei::float8 AS wei, extract(epoch FROM now() - h.gas_read_at)::float8 AS read_age, f.spent
      FROM transfer_heartbeat h CROSS JOIN (
        -- A day at least: the first fees of a new installation are no rate.
        SELECT coalesce(sum(a.fee_wei)::float8
          / greatest(extract(epoch FROM now() - min(a.created_at))::float8 / 86400, 1), 0) AS spent
        FROM (
          SELECT t.fee_wei, t.created_at FROM transfer_attempt t WHERE t.block_number IS NOT NULL
          ORDER BY t.block_number DESC LIMIT ${FEES}) a
        WHERE a.created_at > now() - interval '7 days') f
      WHERE h.gas_wei IS NOT NULL ORDER BY h.looked_at DESC LIMIT 1) known`,
};

export const payoutTurns: FigureGroup = {
  labels: [],
  metrics: {
    age: {
      name: 'copydesk_payout_turn_age_seconds',
      help: 'Seconds since a worker last looked at the payouts of the chain',
    },
  },
  statement: () => sql`
    SELECT extract(epoch FROM now() - max(h.looked_at))::float8 AS age FROM transfer_heartbeat h`,
};

export const halts: FigureGroup = {
  labels: ['reason'],
  metrics: { halted: { name: 'copydesk_payouts_halted', help: '1: nothing is paid out, for this reason' } },
  statement: () => sql`
    SELECT h.halted_because AS reason, 1 AS halted FROM (
      SELECT h.halted_because FROM transfer_heartbeat h ORDER BY h.looked_at DESC LIMIT 1) h
    WHERE h.halted_because IS NOT NULL`,
};

/** Read, not as a worker noted: without a standby to wait for, nothing is written. */
export const standbys: FigureGroup = {
  labels: [],
  metrics: {
    missing: {
      name: 'copydesk_database_standbys_missing',
      help: 'Standbys that commits of the database wait for, and that are not connected',
    },
  },
  statement: () => sql`
    SELECT greatest(r.wanted - r.connected, 0) AS missing FROM app.replication() r
    WHERE r.names <> '' AND NOT r.is_hidden`,
};

/** Where the database archives its log. A segment that fails is tried again until it is taken, and the disk fills meanwhile. */
export const archive: FigureGroup = {
  labels: [],
  metrics: {
    failing_for: {
      name: 'copydesk_database_archive_failing_seconds',
      help: 'Seconds since the archive of the log of the database last took a segment, while it takes none; 0: it does',
    },
  },
  statement: () => sql`
    SELECT f.failing_for FROM app.archive_failing() f (failing_for) WHERE f.failing_for IS NOT NULL`,
};

/** A sent transfer `t` has a problem of its own, or one that servers name when they refuse its newest attempt. */
const problemOfSent = sql`coalesce(t.problem, (SELECT 'refused_' || a.refusal FROM transfer_attempt a
  WHERE a.transfer_id = t.id ORDER BY a.attempt DESC LIMIT 1))`;

/** By the worst reason of their transfers; `in_turn`: none has a problem of its own. */
export const waitingPayouts: FigureGroup = {
  labels: ['reason'],
  metrics: {
    payouts: { name: 'copydesk_payouts_waiting', help: 'Approved payouts that are not paid yet' },
    oldest: {
      name: 'copydesk_payouts_waiting_oldest_seconds',
      help: 'Seconds since the oldest of them was ordered',
    },
  },
  statement: () => sql`
    WITH open AS (
      SELECT t.id, t.kind, t.payout_id, t.wallet_id, t.problem FROM transfer t WHERE t.state = 'planned'
      UNION ALL
      SELECT t.id, t.kind, t.payout_id, t.wallet_id, ${problemOfSent} AS problem FROM transfer t
      WHERE t.state = 'sent'),
    troubled AS (
      SELECT o.id, o.kind, o.payout_id,
        CASE WHEN w.frozen_because IS NOT NULL THEN 'wallet_frozen' ELSE o.problem END AS reason
      FROM open o JOIN chain_wallet w ON w.id = o.wallet_id
      WHERE w.frozen_because IS NOT NULL OR o.problem IS NOT NULL),
    why AS (
      SELECT payout_id, min(reason) AS reason FROM (
        SELECT t.payout_id, t.reason FROM troubled t WHERE t.kind = 'distribute'
        UNION ALL
        SELECT y.payout_id, t.reason FROM troubled t JOIN payable y ON y.consolidation_id = t.id
        WHERE t.kind = 'consolidate') each GROUP BY payout_id)
    SELECT coalesce(why.reason, 'in_turn') AS reason, count(*)::int AS payouts,
      extract(epoch FROM now() - min(p.ordered_at))::float8 AS oldest
    FROM payout p
    JOIN distribution d ON d.id = p.distribution_id AND d.state = 'approved'
    LEFT JOIN why ON why.payout_id = p.id
    WHERE p.status <> 'distributed' AND p.status <> 'failed'
    GROUP BY 1`,
};

export const failedPayouts: FigureGroup = {
  labels: ['reason'],
  metrics: {
    payouts: {
      name: 'copydesk_payouts_failed',
      help: 'Payouts that failed within seven days, and were not ordered again',
    },
  },
  statement: () => sql`
    SELECT coalesce(p.problem, 'unknown') AS reason, count(*)::int AS payouts FROM payout p
    WHERE p.status <> 'distributed' AND p.status = 'failed' AND p.problem IS DISTINCT FROM 'sent_again'
      AND p.updated_at > now() - interval '7 days'
    GROUP BY 1`,
};

/** Each is an order that changed after it was made, or a transfer that no person ordered. */
export const setAsideTransfers: FigureGroup = {
  labels: [],
  metrics: {
    transfers: {
      name: 'copydesk_transfers_set_aside',
      help: 'Transfers of the last day that were not signed, because no fact allows them',
    },
  },
  statement: () => sql`
    SELECT count(*)::int AS transfers FROM transfer t
    WHERE t.problem = 'not_backed' AND t.ended_at > now() - interval '1 day'`,
};

/** The age of a stop shows how long money has waited. */
export const stops: FigureGroup = {
  labels: [],
  metrics: {
    age: {
      name: 'copydesk_payments_stopped_seconds',
      help: 'Seconds since all payments were stopped; missing: they are not',
    },
  },
  statement: () => sql`
    SELECT extract(epoch FROM now() - g.stopped_since)::float8 AS age FROM transfer_gate g
    WHERE g.stopped_since IS NOT NULL`,
};

export const openTransfers: FigureGroup = {
  labels: ['kind', 'reason'],
  metrics: {
    transfers: {
      name: 'copydesk_transfers_open',
      help: 'Transfers that are not final yet, by what keeps them',
    },
    oldest: {
      name: 'copydesk_transfers_open_oldest_seconds',
      help: 'Seconds since the oldest of them was planned',
    },
  },
  statement: () => sql`
    SELECT o.kind, coalesce(o.problem, o.state) AS reason, count(*)::int AS transfers,
      extract(epoch FROM now() - min(o.created_at))::float8 AS oldest
    FROM (
      SELECT t.kind, t.problem, t.state, t.created_at FROM transfer t WHERE t.state = 'planned'
      UNION ALL
      SELECT t.kind, ${problemOfSent} AS problem, t.state, t.created_at FROM transfer t WHERE t.state = 'sent') o
    GROUP BY 1, 2`,
};

export const chainCursor: FigureGroup = {
  labels: ['chain'],
  metrics: {
    age: { name: 'copydesk_chain_read_age_seconds', help: 'Seconds since the last final block was read' },
    stopped: {
      name: 'copydesk_chain_stopped',
      help: '1: no deposit is read; 2: not before a person has looked at it',
    },
  },
  statement: () => sql`
    SELECT c.chain_id::text AS chain, extract(epoch FROM now() - max(c.updated_at))::float8 AS age,
      max(CASE WHEN c.needs_review THEN 2 WHEN c.stopped_because IS NOT NULL THEN 1 ELSE 0 END) AS stopped
    FROM chain_cursor c GROUP BY 1`,
};
