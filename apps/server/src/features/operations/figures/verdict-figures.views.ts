import { sql } from 'kysely';
import type { FigureGroup } from './figure-group.ts';

/** Of the books with themselves and with the chain. A wallet that holds too much is a finding and no danger. */
export const checks: FigureGroup = {
  labels: ['check'],
  metrics: {
    findings: {
      name: 'copydesk_check_findings',
      help: 'What the last run of a check found; 0: everything matched',
    },
    age: { name: 'copydesk_check_age_seconds', help: 'Seconds since a check last came to its end' },
  },
  statement: () => sql`
    SELECT c.name AS check, c.findings, extract(epoch FROM now() - c.checked_at)::float8 AS age FROM check_result c
    UNION ALL
    SELECT 'audit_chain', v.findings, v.age FROM (
      SELECT (CASE WHEN v.is_intact THEN coalesce(v.foreign_entries, 0) ELSE 1 END)::int AS findings,
        extract(epoch FROM now() - v.finished_at)::float8 AS age
      FROM audit_verification v WHERE v.finished_at IS NOT NULL ORDER BY v.requested_at DESC LIMIT 1) v
    UNION ALL
    -- Each worker compares the chain with the heads that it has noted itself.
    SELECT 'audit_head', count(w.audit_problem)::int, extract(epoch FROM now() - max(w.seen_at))::float8
    FROM worker_heartbeat w WHERE w.ended_at IS NULL AND w.seen_at > now() - interval '30 seconds'
    HAVING count(*) > 0`,
};

export const unsealed: FigureGroup = {
  labels: [],
  metrics: {
    seconds: {
      name: 'copydesk_audit_unsealed_seconds',
      help: 'Seconds for which the oldest audit entry has waited to be sealed; 0: none waits',
    },
  },
  statement: () => sql`
    SELECT coalesce(extract(epoch FROM clock_timestamp() - min(u.written_at)), 0)::float8 AS seconds
    FROM audit_unsealed u`,
};

export const approvals: FigureGroup = {
  labels: ['kind'],
  metrics: {
    waiting: { name: 'copydesk_approvals_waiting', help: 'Decisions that wait for another person' },
    oldest: {
      name: 'copydesk_approvals_waiting_oldest_seconds',
      help: 'Seconds for which the oldest has waited',
    },
  },
  statement: () => sql`
    SELECT kind, count(since)::int AS waiting, extract(epoch FROM now() - min(since))::float8 AS oldest FROM (
      SELECT 'distribution' AS kind, d.created_at AS since FROM distribution d WHERE d.state = 'awaiting_approval'
      UNION ALL
      SELECT 'order', o.requested_at FROM money_order o WHERE o.state = 'awaiting_approval'
      UNION ALL
      SELECT 'address', c.changed_at FROM payout_address_change c WHERE c.released_at IS NULL
      UNION ALL
      SELECT 'stop_lift', l.requested_at FROM transfer_stop_lift l WHERE l.state = 'waiting'
      UNION ALL
      SELECT 'setting', s.requested_at FROM platform_setting_change s WHERE s.state = 'waiting'
      UNION ALL
      SELECT 'pool_arrival', a.created_at FROM pool_arrival_decision a WHERE a.state = 'proposed'
      UNION ALL
      SELECT 'pool_result', h.approval_awaited_since FROM harvest_cycle h WHERE h.ended_at IS NULL
      UNION ALL
      SELECT 'super_admin', p.super_since FROM identity.person p
      WHERE p.super AND p.is_active AND p.disabled_at IS NULL AND p.confirmed_at IS NULL) w
    GROUP BY 1`,
};

export const disowned: FigureGroup = {
  labels: [],
  metrics: {
    addresses: {
      name: 'copydesk_addresses_disowned',
      help: 'Payout addresses whose owner said by Telegram that it did not change them, and that nobody decided since',
    },
  },
  statement: () => sql`
    SELECT count(*)::int AS addresses FROM payout_address_word w
    JOIN payout_address_change c ON c.id = w.change_id AND c.released_at IS NULL
    WHERE w.kind = 'not_me'`,
};

export const harvests: FigureGroup = {
  labels: ['reason'],
  metrics: {
    pools: { name: 'copydesk_harvests_failed', help: 'Pools whose harvest failed and waits for a person' },
  },
  statement: () => sql`
    SELECT coalesce(h.reason, 'unknown') AS reason, count(*)::int AS pools FROM harvest_cycle h
    WHERE h.ended_at IS NULL AND h.status = 'failed' GROUP BY 1`,
};

/** A harvest that was called off counts for a day: the next one shows whether it is mended. */
export const tradedOn: FigureGroup = {
  labels: [],
  metrics: {
    pools: {
      name: 'copydesk_pools_traded_on',
      help: 'Pools with a position or an order at the exchange after trading had been paused',
    },
  },
  statement: () => sql`
    SELECT count(*)::int AS pools FROM harvest_cycle h WHERE h.ended_at IS NULL
      AND (h.reason = 'open_positions_exist' AND h.status <> 'stopped' AND h.step <> 'pausing'
        OR h.reason = 'positions_appeared' AND h.status = 'stopped' AND h.since > now() - interval '1 day')`,
};

/** A kind of backup without a new one for 90 days is left out. */
export const backups: FigureGroup = {
  labels: ['kind'],
  metrics: {
    age: { name: 'copydesk_backup_age_seconds', help: 'Seconds since the newest complete backup was taken' },
    bytes: { name: 'copydesk_backup_bytes', help: 'Size of the newest complete backup' },
    verified: {
      name: 'copydesk_backup_verified_age_seconds',
      help: 'Seconds since the newest backup was taken that was restored and checked',
    },
  },
  statement: () => sql`
    SELECT k.kind, extract(epoch FROM now() - b.taken_at)::float8 AS age, b.bytes::float8 AS bytes,
      extract(epoch FROM now() - v.taken_at)::float8 AS verified
    FROM (SELECT DISTINCT r.kind FROM backup_record r
      WHERE r.finished_at IS NOT NULL AND r.taken_at > now() - interval '90 days') k
    CROSS JOIN LATERAL (SELECT r.taken_at, r.bytes FROM backup_record r
      WHERE r.kind = k.kind AND r.finished_at IS NOT NULL ORDER BY r.taken_at DESC LIMIT 1) b
    LEFT JOIN LATERAL (SELECT r.taken_at FROM backup_record r
      WHERE r.kind = k.kind AND r.verified_at IS NOT NULL ORDER BY r.taken_at DESC LIMIT 1) v ON true`,
};

export const reveals: FigureGroup = {
  labels: ['reason'],
  metrics: {
    bursts: {
      name: 'copydesk_reveal_bursts',
      help: 'Times within a day that a person revealed the secrets of unusually many exchange accounts',
    },
  },
  statement: () => sql`
    SELECT reason, (SELECT count(*)::int FROM credential_reveal r
      WHERE r.burst = reason AND r.revealed_at > now() - interval '1 day') AS bursts
    FROM unnest(ARRAY['reasons', 'accounts']) AS reason`,
};
