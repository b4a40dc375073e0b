import type { CallAnswer, CallParsed } from '@copydesk/contract';
import { type RawBuilder, sql } from 'kysely';
import type { AnyTx } from '../../platform/db/database.ts';
import { providerInScope, traderInScope } from '../../platform/db/scope-filter.ts';
import { sumsOf } from './traders.views.ts';

type Call = 'GET /api/traders/{id}/referrals';
type Referrals = Pick<CallAnswer<Call>, 'data' | 'meta'>;

const DEFAULT_PAGE = 20;

const displayName = (alias: 't' | 'u') => {
  const [telegram, name] = [sql.ref(`${alias}.telegram_username`), sql.ref(`${alias}.name`)];
  return sql`coalesce(nullif(${telegram}, ''), ${name}, 'Unknown Trader')`;
};

/**
 * `(earned, unpaid)`: the referrer's parts of the invoices of referred traders `t`. A part that was settled off-platform
 * is earned and not unpaid. Nothing of an unpaid invoice is earned yet.
 */
const earnings = (tx: AnyTx, ofTraders: RawBuilder<unknown>) => sql`(
  SELECT trim_scale(coalesce(sum(p.amount_units), 0) * 0.000000000000000001)::text AS earned,
    trim_scale(coalesce(sum(p.amount_units) FILTER (WHERE p.paid_at IS NULL AND p.settled_at IS NULL), 0)
      * 0.000000000000000001)::text AS unpaid
  FROM invoice i JOIN payable p ON p.invoice_id = i.id AND p.recipient_type = 'trader_referrer'
  WHERE i.trader_id ${ofTraders} AND ${providerInScope(tx, 'p.provider_id')})`;

/** A trader's place in the tree of referrals: who referred it, whom it referred, and what these earned it. */
export async function readReferrals(
  tx: AnyTx,
  id: string,
  query: CallParsed<Call>['query'],
): Promise<Referrals | null> {
  const [meta, data] = await Promise.all([readHead(tx, id), listReferred(tx, id, query)]);
  return meta && { data, meta };
}

async function readHead(tx: AnyTx, id: string): Promise<Referrals['meta'] | null> {
  const referred = sql`SELECT r.id FROM trader r
    WHERE r.referred_by_trader_id = ${id} AND ${traderInScope(tx, 'r.id')}`;
  const { rows } = await sql<Referrals['meta']>`
    SELECT (SELECT count(*)::int FROM (${referred}) counted) AS total, t.referral_code,
      (SELECT 'https://t.me/' || b.username || '?start=' || t.referral_code FROM exchange_bot b
        WHERE b.community_id = t.community_id AND b.is_active) AS referral_link,
      (SELECT json_build_object('id', u.id, 'display_name', ${displayName('u')})
        FROM trader u WHERE u.id = t.referred_by_trader_id AND ${traderInScope(tx, 'u.id')}) AS referred_by,
      -- Staff see no changes of addresses.
      EXISTS (SELECT FROM payout_address_change a WHERE a.owner_kind = 'trader_referrer' AND a.owner_id = t.id::text
        AND a.address = t.referred_by_trader_id::text AND a.released_at IS NULL) AS referrer_awaits_release,
      sums.earned, sums.unpaid
    FROM trader t CROSS JOIN LATERAL ${earnings(tx, sql`IN (${referred})`)} sums
    WHERE t.id = ${id} AND ${traderInScope(tx, 't.id')}`.execute(tx.sql);
  return rows[0] ?? null;
}

async function listReferred(
  tx: AnyTx,
  id: string,
  { limit = DEFAULT_PAGE, offset = 0 }: CallParsed<Call>['query'],
): Promise<Referrals['data']> {
  const page = sql`SELECT * FROM trader t WHERE t.referred_by_trader_id = ${id} AND ${traderInScope(tx, 't.id')}
    ORDER BY t.created_at DESC, t.id LIMIT ${limit} OFFSET ${offset}`;
  const { rows } = await sql<Referrals['data'][number]>`
    SELECT t.id, ${displayName('t')} AS display_name, t.reference_number, t.status,
      app.iso(t.created_at) AS created_at, seen.aum::float8 AS aum, marks.is_part AS aum_is_part, sums.earned, sums.unpaid,
      (SELECT count(*)::int FROM trader r
        WHERE r.referred_by_trader_id = t.id AND ${traderInScope(tx, 'r.id')}) AS referral_count
    FROM (${page}) t JOIN app.trader_marks(ARRAY(SELECT id FROM (${page}) p)) marks ON marks.trader_id = t.id
    CROSS JOIN LATERAL ${sumsOf(tx)} seen CROSS JOIN LATERAL ${earnings(tx, sql`= t.id`)} sums
    ORDER BY t.created_at DESC, t.id`.execute(tx.sql);
  return rows;
}
