import {
  type BilledSubscription,
  type PaymentNotice,
  type SubscriptionAccess,
  type SubscriptionInterval,
  subscriptionAccess,
} from '@copydesk/domain/billing';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { byName } from '../../platform/db/lists/list-query.ts';
import { communityInScope, traderInScope } from '../../platform/db/scope-filter.ts';

/** A subscription as stored, camel-cased. */
export interface StoredSubscription extends BilledSubscription {
  communityId: string;
  subscriptionId: string | null;
  interval: SubscriptionInterval;
  cancelAtPeriodEnd: boolean;
  paymentNotice: PaymentNotice | null;
  hasDuplicate: boolean;
  readAt: Date | null;
}

const COLUMNS = sql`s.community_id AS "communityId", s.subscription_id AS "subscriptionId", s.interval, s.status,
  s.current_period_end AS "currentPeriodEnd", s.cancel_at_period_end AS "cancelAtPeriodEnd",
  s.trial_end AS "trialEnd", s.unpaid_since AS "unpaidSince", s.ended_at AS "endedAt",
  s.payment_notice AS "paymentNotice", s.has_duplicate AS "hasDuplicate", s.read_at AS "readAt"`;

/** Null: the community never subscribed. */
export async function findSubscription(tx: Tx, communityId: string): Promise<StoredSubscription | null> {
  const { rows } = await sql<StoredSubscription>`
    SELECT ${COLUMNS} FROM community_subscription s
    WHERE s.community_id = ${communityId} AND ${communityInScope(tx, 's.community_id')}`.execute(tx.sql);
  return rows[0] ?? null;
}

/** A community with what it pays; `held` is null: it never subscribed. */
export interface CommunityWithSubscription {
  id: string;
  name: string;
  is_archived: boolean;
  has_customer: boolean;
  held: StoredSubscription | null;
}

/** All communities in scope, by name. */
export async function listWithSubscription(tx: Tx): Promise<CommunityWithSubscription[]> {
  const { rows } = await sql<
    Omit<CommunityWithSubscription, 'held'> &
      Omit<StoredSubscription, 'communityId'> & { communityId: string | null }
  >`
    SELECT c.id, c.name, c.is_archived, k.community_id IS NOT NULL AS has_customer, ${COLUMNS}
    FROM community c
    LEFT JOIN community_subscription s ON s.community_id = c.id
    LEFT JOIN billing_customer k ON k.community_id = c.id
    WHERE ${communityInScope(tx, 'c.id')} ORDER BY ${byName('c.name')}, c.id`.execute(tx.sql);
  return rows.map(({ id, name, is_archived, has_customer, communityId, ...held }) => ({
    ...{ id, name, is_archived, has_customer },
    held: communityId === null ? null : { communityId, ...held },
  }));
}

/** Subscriptions that a reminder may be about, in order, after a community. */
export async function listNearEnd(
  tx: Tx,
  { after, limit }: { after: string | null; limit: number },
): Promise<(StoredSubscription & { community: string })[]> {
  const { rows } = await sql<StoredSubscription & { community: string }>`
    SELECT ${COLUMNS}, c.name AS community
    FROM community_subscription s JOIN community c ON c.id = s.community_id
    WHERE s.status <> 'active' AND NOT c.is_archived AND s.subscription_id IS NOT NULL
      AND ${after === null ? sql`true` : sql`s.community_id > ${after}::uuid`} AND ${communityInScope(tx, 's.community_id')}
    ORDER BY s.community_id LIMIT ${limit}`.execute(tx.sql);
  return rows;
}

/** Whether anything can be paid for a community, as `payableOf` of the domain says of one. */
export const isPayable = (communityId: RawBuilder<unknown>) => sql`EXISTS (
  SELECT FROM community c LEFT JOIN community_subscription s ON s.community_id = c.id AND s.subscription_id IS NOT NULL
  WHERE c.id = ${communityId} AND NOT c.is_archived AND coalesce(s.status, '') NOT IN ('trialing', 'active', 'paused'))`;

/** Customers of archived communities whose subscription would renew. */
export async function listRenewingArchived(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ customer_id: string }>`
    SELECT k.customer_id
    FROM community_subscription s JOIN community c ON c.id = s.community_id AND c.is_archived
    JOIN billing_customer k ON k.community_id = s.community_id
    WHERE s.subscription_id IS NOT NULL AND NOT s.cancel_at_period_end
      AND s.status NOT IN ('canceled', 'incomplete', 'incomplete_expired') AND ${communityInScope(tx, 's.community_id')}
    ORDER BY k.customer_id`.execute(tx.sql);
  return rows.map(({ customer_id }) => customer_id);
}

/** The community of a trader; null: missing or out of scope. */
export async function findCommunityOfTrader(tx: Tx, traderId: string): Promise<string | null> {
  const { rows } = await sql<{ community_id: string }>`
    SELECT t.community_id FROM trader t WHERE t.id = ${traderId} AND ${traderInScope(tx, 't.id')}`.execute(
    tx.sql,
  );
  return rows[0]?.community_id ?? null;
}

/** What a community may do under its subscription at present. */
export async function findAccess(
  tx: Tx,
  communityId: string,
  rules: { now: Date; graceDays: number },
): Promise<SubscriptionAccess> {
  return subscriptionAccess(await findSubscription(tx, communityId), rules);
}
