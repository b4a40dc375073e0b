import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import { communityInScope, providerInScope, traderInScope } from '../../../platform/db/scope-filter.ts';

/** How people call a trader `t`. */
const traderName = sql`coalesce(t.reference_number, nullif(t.telegram_username, ''), nullif(t.name, ''),
  left(t.id::text, 8))`;

const nameOfTrader = (id: RawBuilder<unknown>) =>
  sql`(SELECT ${traderName} FROM trader t WHERE t.id = ${id}::uuid)`;

/**
 * How people call the owner of an address, by its kind and its id as in `payout_address_change`; null: it was removed.
 * Who referred a community has the name of the community.
 */
export const ownerName = (kind: RawBuilder<unknown>, id: RawBuilder<unknown>) => sql`CASE ${kind}
    WHEN 'provider' THEN (SELECT p.display_name FROM provider p WHERE p.id = ${id}::uuid)
    WHEN 'trader' THEN ${nameOfTrader(id)}
    WHEN 'trader_referrer' THEN ${nameOfTrader(id)}
    WHEN 'platform' THEN ${id}
    ELSE (SELECT c.name FROM community c WHERE c.id = ${id}::uuid) END`;

/**
 * Every recipient: the kind and id as in `payout_address_change`, the name, the present address in lower
 * case, and the texts that a search compares. A referrer of a community without an address is included if it
 * ever had a share.
 */
export const payoutOwners = (tx: Tx) => sql`
  SELECT 'provider' AS owner_kind, p.id::text AS owner_id, p.display_name AS owner, lower(p.payout_address) AS address,
    ARRAY[p.display_name, p.name] AS names
  FROM provider p WHERE ${providerInScope(tx, 'p.id')}
  UNION ALL SELECT 'community', c.id::text, c.name, lower(c.external_wallet_address), ARRAY[c.name]
  FROM community c WHERE ${communityInScope(tx, 'c.id')}
  UNION ALL SELECT 'community_referrer', c.id::text, c.name, lower(c.referrer_wallet_address), ARRAY[c.name]
  -- One value a row: with EXISTS, PostgreSQL may read all shares.
  FROM community c WHERE ${communityInScope(tx, 'c.id')} AND (c.referrer_wallet_address IS NOT NULL OR coalesce((
    SELECT true FROM payable y WHERE y.community_id = c.id AND y.recipient_type = 'community_referrer' LIMIT 1), false))
  UNION ALL SELECT 'trader', t.id::text, ${traderName}, lower(t.external_wallet_address),
    ARRAY[t.reference_number, t.telegram_username, t.name]
  FROM trader t WHERE ${traderInScope(tx, 't.id')}
    AND t.id IN (SELECT d.referred_by_trader_id FROM trader d WHERE d.referred_by_trader_id IS NOT NULL
      -- What waits for a release is listed, whether anything will be owed or not.
      UNION SELECT a.owner_id::uuid FROM payout_address_change a
      WHERE a.owner_kind = 'trader' AND a.released_at IS NULL AND a.address IS NOT NULL)
  UNION ALL SELECT 'platform', r.recipient_type, r.recipient_type, lower(r.address), ARRAY[r.recipient_type]
  FROM platform_recipient r`;
