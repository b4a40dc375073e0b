import { sql } from 'kysely';
import { FAILED_SYNCS, SCHEDULED_QUEUE } from '../../../platform/work/queue.ts';
import { isGivenUp } from '../failed-syncs.views.ts';
import type { FigureGroup } from './figure-group.ts';

export const workers: FigureGroup = {
  labels: [],
  metrics: {
    workers: { name: 'copydesk_workers', help: 'Workers with a heartbeat within half a minute' },
    age: { name: 'copydesk_worker_heartbeat_age_seconds', help: 'Seconds since any worker was heard of' },
  },
  statement: () => sql`
    SELECT count(*) FILTER (WHERE w.ended_at IS NULL AND w.seen_at > now() - interval '30 seconds')::int AS workers,
      extract(epoch FROM now() - max(w.seen_at))::float8 AS age
    FROM worker_heartbeat w`,
};

/** An account that was not read for an hour, by why the last attempt failed; `overdue`: none failed, so it has no turn. */
export const unreadAccounts: FigureGroup = {
  labels: ['exchange', 'reason'],
  metrics: {
    accounts: { name: 'copydesk_accounts_unread', help: 'Exchange accounts that were not read for an hour' },
  },
  statement: () => sql`
    SELECT unread.exchange, unread.reason, count(*)::int AS accounts FROM (
      SELECT a.exchange, a.read_error AS reason FROM exchange_account a
      WHERE a.removed_at IS NULL AND a.read_error IS NOT NULL
        AND coalesce(a.equity_read_at, a.connected_at) < now() - interval '1 hour'
      UNION ALL
      SELECT r.exchange, 'overdue' FROM exchange e
      JOIN account_reading r ON r.exchange = e.id AND r.due_at < now() - interval '1 hour'
      WHERE r.failures = 0) unread
    GROUP BY 1, 2`,
};

/** Jobs by name, and rows that are work by what they are. */
export const queues: FigureGroup = {
  labels: ['queue'],
  metrics: {
    waiting: { name: 'copydesk_queue_waiting', help: 'Work that could be done now' },
    oldest: {
      name: 'copydesk_queue_oldest_seconds',
      help: 'Seconds for which the oldest of it has been due',
    },
  },
  statement: () => sql`
    SELECT CASE j.name WHEN ${SCHEDULED_QUEUE} THEN j.singleton_key ELSE j.name END AS queue, count(*)::int AS waiting,
      extract(epoch FROM now() - min(j.start_after))::float8 AS oldest
    FROM pgboss.job j
    WHERE j.state < 'active' AND NOT j.blocked AND j.start_after <= now() AND j.name <> ${FAILED_SYNCS} GROUP BY 1
    UNION ALL
    SELECT 'invoicing', count(*)::int, extract(epoch FROM now() - min(r.created_at))::float8
    FROM invoicing_run r WHERE r.state = 'running'
    UNION ALL
    SELECT 'accounts', count(*)::int, extract(epoch FROM now() - min(r.due_at))::float8
    FROM exchange e JOIN account_reading r ON r.exchange = e.id AND r.due_at <= now()
    UNION ALL
    SELECT 'harvest', count(*)::int, extract(epoch FROM now() - min(h.look_at))::float8
    FROM harvest_cycle h WHERE h.ended_at IS NULL AND h.look_at <= now()
    UNION ALL
    SELECT 'bots', count(*)::int, extract(epoch FROM now() - min(greatest(r.leased_until, b.updated_at)))::float8
    FROM exchange_bot b LEFT JOIN exchange_bot_reading r ON r.bot_id = b.id
    WHERE b.is_active AND (r.leased_until IS NULL OR r.leased_until <= now())
      AND b.updated_at IS DISTINCT FROM r.stopped_at`,
};

/** Until an operator sends them again, or a later event of the same subject causes a read. */
export const failedSyncs: FigureGroup = {
  labels: ['queue', 'reason'],
  metrics: {
    failed: {
      name: 'copydesk_syncs_failed',
      help: 'Subjects of Stripe and Clerk whose reading was given up',
    },
    oldest: {
      name: 'copydesk_syncs_failed_oldest_seconds',
      help: 'Seconds since the oldest of it was given up',
    },
  },
  statement: () => sql`
    SELECT j.source_name AS queue, coalesce(j.output ->> 'message', 'unknown') AS reason, count(*)::int AS failed,
      extract(epoch FROM now() - min(j.created_on))::float8 AS oldest
    FROM pgboss.job j WHERE ${isGivenUp} GROUP BY 1, 2`,
};

/** `waiting`: it could be sent now. */
export const messages: FigureGroup = {
  labels: ['channel'],
  metrics: {
    waiting: { name: 'copydesk_messages_waiting', help: 'Messages that are due and not sent' },
    oldest: {
      name: 'copydesk_messages_waiting_oldest_seconds',
      help: 'Seconds for which the oldest has been due',
    },
    failed: { name: 'copydesk_messages_failed', help: 'Messages of the last seven days that were given up' },
  },
  statement: () => sql`
    SELECT 'trader' AS channel, w.waiting, w.oldest, f.failed
    FROM (SELECT count(*)::int AS waiting, extract(epoch FROM now() - min(m.due_at))::float8 AS oldest
        FROM message m WHERE m.state = 'queued' AND m.due_at <= now()) w,
      (SELECT count(*)::int AS failed FROM message m
        WHERE m.state = 'failed' AND m.created_at > now() - interval '7 days') f
    UNION ALL
    SELECT 'exchange bot', w.waiting, w.oldest, f.failed
    FROM (SELECT count(*)::int AS waiting, extract(epoch FROM now() - min(m.due_at))::float8 AS oldest
        FROM exchange_bot_message m WHERE m.state = 'queued' AND m.due_at <= now()) w,
      (SELECT count(*)::int AS failed FROM exchange_bot_message m
        WHERE m.state = 'failed' AND m.created_at > now() - interval '7 days') f
    UNION ALL
    SELECT 'mail', w.waiting, w.oldest, f.failed
    FROM (SELECT count(*)::int AS waiting, extract(epoch FROM now() - min(q.since))::float8 AS oldest
        -- Since it was written: one that is tried again and again has just been due.
        FROM (SELECT m.created_at AS since FROM mail m WHERE m.state = 'waiting'
          UNION ALL SELECT b.due_at FROM billing_mail b WHERE b.state = 'queued' AND b.due_at <= now()) q) w,
      (SELECT count(*)::int AS failed FROM (
          SELECT FROM mail m WHERE m.state = 'failed' AND m.created_at > now() - interval '7 days'
          UNION ALL SELECT FROM billing_mail b
          WHERE b.state = 'failed' AND b.created_at > now() - interval '7 days') gone) f`,
};

/** Bots of communities that Telegram does not serve, and the platform's own. */
export const failingBots: FigureGroup = {
  labels: ['bot', 'problem'],
  metrics: { bots: { name: 'copydesk_bots_failing', help: 'Telegram bots that cannot be read or used' } },
  statement: () => sql`
    SELECT 'community' AS bot, coalesce(r.problem, b.problem) AS problem, count(*)::int AS bots
    FROM exchange_bot b LEFT JOIN exchange_bot_reading r ON r.bot_id = b.id
    WHERE b.is_active AND (r.problem IS NOT NULL OR b.problem IS NOT NULL) GROUP BY 2
    UNION ALL
    SELECT 'platform', u.problem, 1 FROM platform_bot_use u WHERE u.problem IS NOT NULL`,
};

/** Of tables that are divided by month. What has no month to go to is refused. */
export const partitions: FigureGroup = {
  labels: ['table'],
  metrics: {
    ahead: { name: 'copydesk_partitions_ahead', help: 'Months after this one that a table has room for' },
  },
  statement: () => sql`
    SELECT p.parent AS "table", count(*) FILTER (WHERE p.starts > now())::int AS ahead
    FROM app.partitions() p GROUP BY 1`,
};
