import { sql } from 'kysely';
import type { ReadCustomer, ReadSubscription } from '../../integrations/billing/gateway.ts';
import type { WriteTx } from '../../platform/db/database.ts';
import { communityInScope } from '../../platform/db/scope-filter.ts';

/** Numbers a read that is about to begin. */
export async function nextReadNumber(tx: WriteTx): Promise<string> {
  const { rows } = await sql<{ number: string }>`
    SELECT nextval('billing_read_number')::text AS number`.execute(tx.sql);
  return (rows[0] as { number: string }).number;
}

/** Locks a community for a change of its subscription; false: it is missing. */
export async function lockCommunity(tx: WriteTx, communityId: string): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM community c WHERE c.id = ${communityId} AND ${communityInScope(tx, 'c.id')}
    FOR NO KEY UPDATE`.execute(tx.sql);
  return rows.length > 0;
}

/**
 * Writes what was read, unless a read that began later was written before.
 * @returns whether it was written
 */
export async function saveSubscription(
  tx: WriteTx,
  communityId: string,
  read: { subscription: ReadSubscription; at: Date; number: string } & Pick<
    ReadCustomer,
    'liveCount' | 'paymentNotice'
  >,
): Promise<boolean> {
  const { subscription: s } = read;
  const { numAffectedRows } = await sql`
    INSERT INTO community_subscription AS held (community_id, subscription_id, interval, status, current_period_end,
      cancel_at_period_end, trial_end, unpaid_since, ended_at, payment_notice, has_duplicate, read_at, read_number,
      updated_at)
    VALUES (${communityId}, ${s.id}, ${s.interval}, ${s.status}, ${s.currentPeriodEnd}, ${s.cancelAtPeriodEnd},
      ${s.trialEnd}, ${s.unpaidSince}, ${s.endedAt}, ${read.paymentNotice}, ${read.liveCount > 1}, ${read.at},
      ${read.number}, now())
    ON CONFLICT (community_id) DO UPDATE SET subscription_id = excluded.subscription_id, interval = excluded.interval,
      status = excluded.status, current_period_end = excluded.current_period_end,
      cancel_at_period_end = excluded.cancel_at_period_end, trial_end = excluded.trial_end,
      unpaid_since = excluded.unpaid_since, ended_at = excluded.ended_at, payment_notice = excluded.payment_notice,
      has_duplicate = excluded.has_duplicate, read_at = excluded.read_at, read_number = excluded.read_number,
      updated_at = now()
    WHERE held.read_number < excluded.read_number`.execute(tx.sql);
  return numAffectedRows === 1n;
}
