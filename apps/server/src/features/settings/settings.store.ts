import type { PlatformSettings, SettingName } from '@copydesk/domain/settings';
import { sql } from 'kysely';
import type { Tx, WriteTx } from '../../platform/db/database.ts';

export interface StoredChange {
  id: string;
  name: SettingName;
  previous: unknown;
  value: unknown;
  basedOn: number;
  requestedById: string;
}

/** Serialises changes of one setting, whether or not it has a row yet. */
export async function lockSetting(tx: WriteTx, name: SettingName): Promise<number> {
  await sql`SELECT pg_advisory_xact_lock(hashtext(${`copydesk.setting ${name}`}))`.execute(tx.sql);
  const { rows } = await sql<{
    version: number;
  }>`SELECT version FROM platform_setting WHERE name = ${name}`.execute(tx.sql);
  return rows[0]?.version ?? 0;
}

export async function saveSetting(tx: WriteTx, name: SettingName, value: unknown, at: Date): Promise<void> {
  await sql`INSERT INTO platform_setting (name, value, changed_at, changed_by)
    VALUES (${name}, ${JSON.stringify(value)}::jsonb, ${at}, ${tx.actor.name})
    ON CONFLICT (name) DO UPDATE SET value = excluded.value, version = platform_setting.version + 1,
      changed_at = excluded.changed_at, changed_by = excluded.changed_by`.execute(tx.sql);
}

/** Removes what the console set: the default holds. The version goes on, so that no earlier request applies. */
export async function clearSetting(tx: WriteTx, name: SettingName, at: Date): Promise<void> {
  await sql`UPDATE platform_setting SET value = NULL, version = version + 1, changed_at = ${at},
      changed_by = ${tx.actor.name} WHERE name = ${name}`.execute(tx.sql);
}

/** What holds where the console has set nothing. */
export async function saveDefaults(tx: WriteTx, defaults: PlatformSettings, at: Date): Promise<void> {
  await sql`INSERT INTO platform_setting_default AS d (name, value, noted_at)
    SELECT key, value, ${at} FROM jsonb_each(${JSON.stringify(defaults)}::jsonb)
    ON CONFLICT (name) DO UPDATE SET value = excluded.value, noted_at = excluded.noted_at
      WHERE d.value <> excluded.value`.execute(tx.sql);
}

/** Levels are data of their own: lists join them. */
export async function replaceVipTiers(tx: WriteTx, tiers: PlatformSettings['vip_tiers']): Promise<void> {
  await sql`DELETE FROM vip_tier`.execute(tx.sql);
  await sql`INSERT INTO vip_tier (level, name, min_aum, benefits)
    SELECT t.level, t.name, t.min_aum, t.benefits
    FROM unnest(${tiers.map(({ name }) => name)}::text[], ${tiers.map(({ min_aum }) => min_aum)}::numeric[],
        ${tiers.map(({ benefits = '' }) => benefits)}::text[])
      WITH ORDINALITY AS t (name, min_aum, benefits, level)`.execute(tx.sql);
}

export async function insertChange(
  tx: WriteTx,
  change: { name: SettingName; previous: unknown; value: unknown; basedOn: number },
  state: 'waiting' | 'applied',
  at: Date,
): Promise<void> {
  await sql`INSERT INTO platform_setting_change (name, previous, value, based_on, state, requested_at, requested_by_id,
      requested_by)
    VALUES (${change.name}, ${JSON.stringify(change.previous)}::jsonb, ${JSON.stringify(change.value)}::jsonb,
      ${change.basedOn}, ${state}, ${at}, ${tx.actor.id}, ${tx.actor.name})`.execute(tx.sql);
}

/** The change of a setting that waits, if there is one. */
export async function findWaiting(tx: Tx, name: SettingName): Promise<StoredChange | null> {
  return findOne(tx, sql`c.name = ${name}`);
}

/** A waiting change by its id. */
export async function findWaitingById(tx: Tx, id: string): Promise<StoredChange | null> {
  return findOne(tx, sql`c.id = ${id}`);
}

async function findOne(tx: Tx, condition: ReturnType<typeof sql>): Promise<StoredChange | null> {
  const { rows } = await sql<StoredChange>`
    SELECT c.id, c.name, c.previous, c.value, c.based_on AS "basedOn", c.requested_by_id AS "requestedById"
    FROM platform_setting_change c WHERE c.state = 'waiting' AND ${condition}`.execute(tx.sql);
  return rows[0] ?? null;
}

export async function saveDecision(
  tx: WriteTx,
  id: string,
  state: 'applied' | 'declined',
  at: Date,
): Promise<void> {
  await sql`UPDATE platform_setting_change SET state = ${state}, decided_at = ${at}, decided_by_id = ${tx.actor.id},
      decided_by = ${tx.actor.name} WHERE id = ${id} AND state = 'waiting'`.execute(tx.sql);
}
