import type { Exchange } from '@copydesk/domain/catalogue';
import { type RawBuilder, sql } from 'kysely';
import { ownAccountsForNewKey } from '../../core/exchanges/accounts-for-new-key.views.ts';
import type { Tx, WriteTx } from '../../platform/db/database.ts';
import { providerInScope, traderInScope } from '../../platform/db/scope-filter.ts';

/** Asked again sooner, a trader reads a second fault. */
const ASKED_HOURS = 24;

/** A request for a new key that waits, or was written within a day, whoever asked. */
const presentRequestOf = (tx: Tx, traderId: RawBuilder<unknown>) => sql<{ id: string }>`
  SELECT m.id FROM message m
  WHERE m.trader_id = ${traderId} AND m.kind = 'key_failing' AND ${providerInScope(tx, 'm.provider_id')}
    AND (m.state = 'queued' OR m.state = 'sent' AND m.created_at > now() - make_interval(hours => ${sql.lit(ASKED_HOURS)}))
  ORDER BY m.created_at DESC LIMIT 1`;

export async function findPresentRequest(tx: WriteTx, traderId: string): Promise<string | null> {
  const { rows } = await presentRequestOf(tx, sql`${traderId}`).execute(tx.sql);
  return rows[0]?.id ?? null;
}

export interface FailingKeys {
  exchanges: Exchange[];
  /** Of all of them; null: they are of several. */
  providerId: string | null;
}

/** Where the exchange refuses keys of a trader, of the providers that the caller sees. */
export async function readFailingKeys(tx: WriteTx, traderId: string): Promise<FailingKeys> {
  const { rows } = await sql<FailingKeys>`
    SELECT coalesce(array_agg(DISTINCT a.exchange), '{}') AS exchanges,
      CASE WHEN count(DISTINCT a.provider_id) = 1 THEN (array_agg(a.provider_id))[1] END AS "providerId"
    FROM (${ownAccountsForNewKey(tx, sql`${traderId}`)}) a`.execute(tx.sql);
  return rows[0] as FailingKeys;
}

/** What a request for a new key would meet at each of the traders in `wanted`, as `askForKey` decides it. */
export const planKeyRequests = (tx: Tx): RawBuilder<unknown> => sql`
  SELECT t.id, w.place, NULL::text AS before, NULL::numeric AS amount_units,
    CASE WHEN NOT EXISTS (${ownAccountsForNewKey(tx, sql`t.id`)}) THEN 'keys_work'
      WHEN coalesce(t.telegram_user_id, '') = '' THEN 'not_reachable'
      WHEN EXISTS (${presentRequestOf(tx, sql`t.id`)}) THEN 'told_lately' END AS reason
  FROM wanted w JOIN trader t ON t.id = w.id AND ${traderInScope(tx, 't.id')}`;
