import type { Exchange } from '@copydesk/domain/catalogue';
import type { KeyMessageKind } from '@copydesk/domain/messages';
import { type RawBuilder, sql } from 'kysely';
import {
  ownAccountsForNewKey,
  ownAccountsWithEndingKey,
} from '../../core/exchanges/accounts-for-new-key.views.ts';
import type { Tx, WriteTx } from '../../platform/db/database.ts';
import { providerInScope, traderInScope } from '../../platform/db/scope-filter.ts';

/** A trader who is asked again sooner assumes a second fault. */
const ASKED_HOURS = 24;

/** A request for a new key, for the same cause, that waits, or was written within a day, whoever asked. */
const presentRequestOf = (tx: Tx, traderId: RawBuilder<unknown>, kind: RawBuilder<unknown>) => sql<{
  id: string;
}>`
  SELECT m.id FROM message m
  WHERE m.trader_id = ${traderId} AND m.kind = ${kind} AND ${providerInScope(tx, 'm.provider_id')}
    AND (m.state = 'queued' OR m.state = 'sent' AND m.created_at > now() - make_interval(hours => ${sql.lit(ASKED_HOURS)}))
  ORDER BY m.created_at DESC LIMIT 1`;

export async function findPresentRequest(
  tx: WriteTx,
  traderId: string,
  kind: KeyMessageKind,
): Promise<string | null> {
  const { rows } = await presentRequestOf(tx, sql`${traderId}`, sql`${kind}`).execute(tx.sql);
  return rows[0]?.id ?? null;
}

export interface KeysToReplace {
  exchanges: Exchange[];
  /** Of all of them; null: they are of several. */
  providerId: string | null;
  /** Of keys that work: when the first one ends. */
  endsAt: Date | null;
}

/**
 * Where the exchange refuses keys of a trader, of the providers that the caller sees; if nowhere, where it ends them
 * soon.
 * @returns null: no key is to be replaced
 */
export async function readKeysToReplace(
  tx: WriteTx,
  traderId: string,
): Promise<(KeysToReplace & { kind: KeyMessageKind }) | null> {
  const among = async (accounts: RawBuilder<unknown>, end: RawBuilder<unknown>) => {
    const { rows } = await sql<KeysToReplace>`
      SELECT coalesce(array_agg(DISTINCT a.exchange), '{}') AS exchanges,
        CASE WHEN count(DISTINCT a.provider_id) = 1 THEN (array_agg(a.provider_id))[1] END AS "providerId",
        ${end} AS "endsAt" FROM (${accounts}) a`.execute(tx.sql);
    return rows[0]?.exchanges.length ? rows[0] : null;
  };
  const failing = await among(ownAccountsForNewKey(tx, sql`${traderId}`), sql`NULL::timestamptz`);
  if (failing) return { kind: 'key_failing', ...failing };
  const ending = await among(ownAccountsWithEndingKey(tx, sql`${traderId}`), sql`min(a.key_expires_at)`);
  return ending && { kind: 'key_ending', ...ending };
}

/** What a request for a new key would meet at each of the traders in `wanted`, as `askForKey` decides it. */
export const planKeyRequests = (tx: Tx): RawBuilder<unknown> => sql`
  SELECT t.id, w.place, NULL::text AS before, NULL::numeric AS amount_units,
    CASE WHEN k.kind IS NULL THEN 'keys_work'
      WHEN coalesce(t.telegram_user_id, '') = '' THEN 'not_reachable'
      WHEN EXISTS (${presentRequestOf(tx, sql`t.id`, sql`k.kind`)}) THEN 'told_lately' END AS reason
  FROM wanted w JOIN trader t ON t.id = w.id AND ${traderInScope(tx, 't.id')}
  CROSS JOIN LATERAL (SELECT CASE WHEN EXISTS (${ownAccountsForNewKey(tx, sql`t.id`)}) THEN 'key_failing'
    WHEN EXISTS (${ownAccountsWithEndingKey(tx, sql`t.id`)}) THEN 'key_ending' END AS kind) k`;
