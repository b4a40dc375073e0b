import {
  BOUNDED_SETTINGS,
  exceedsBound,
  type SettingName,
  type WorkerBounds,
} from '@copydesk/domain/settings';
import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import type { SettingsBase } from './live-settings.ts';

/**
 * The bounds that workers hold themselves to: what their environment gives, which only their login may note. Null: no
 * worker has started yet.
 */
export async function findWorkerBounds(tx: Tx): Promise<WorkerBounds | null> {
  const { rows } = await sql<{ bounds: WorkerBounds | null }>`
    SELECT jsonb_object_agg(d.name, d.value) AS bounds FROM platform_setting_default d
    WHERE d.name = ANY (${[...BOUNDED_SETTINGS]}::text[])`.execute(tx.sql);
  return rows[0]?.bounds ?? null;
}

/**
 * The largest allowed value of a setting, or null: any. The tighter of the worker's bound and this process's
 * bound applies.
 */
export function boundOf(
  name: SettingName,
  { defaults, given }: Pick<SettingsBase, 'defaults' | 'given'>,
  worker: WorkerBounds | null,
): string | number | null {
  if (!isBounded(name)) return null;
  const own = given.includes(name) ? defaults[name] : null;
  const published = worker?.[name] ?? null;
  if (own === null || published === null) return own ?? published;
  return exceedsBound(name, published as never, own as never) ? published : own;
}

const isBounded = (name: SettingName): name is keyof WorkerBounds =>
  (BOUNDED_SETTINGS as readonly SettingName[]).includes(name);
