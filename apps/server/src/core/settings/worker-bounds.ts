import {
  BOUNDED_SETTINGS,
  exceedsBound,
  type PlatformSettings,
  type SettingName,
  type WorkerBounds,
} from '@copydesk/domain';
import { sql } from 'kysely';
import type { Tx, WriteTx } from '../../platform/db/database.ts';
import type { SettingsBase } from './live-settings.ts';

/** The bounds that a worker with the seed holds itself to. Only the login of workers may write them. */
export async function publishBounds(tx: WriteTx, bounds: WorkerBounds): Promise<void> {
  await sql`
    INSERT INTO worker_bounds (bounds) VALUES (${JSON.stringify(bounds)}::jsonb)
    ON CONFLICT (is_only) DO UPDATE SET bounds = excluded.bounds, published_at = now()`.execute(tx.sql);
}

/** Null: no worker with the seed has started yet. */
export async function findWorkerBounds(tx: Tx): Promise<WorkerBounds | null> {
  const { rows } = await sql<{ bounds: WorkerBounds }>`SELECT bounds FROM worker_bounds`.execute(tx.sql);
  return rows[0]?.bounds ?? null;
}

/** The bounds among the values of an environment. */
export const boundsOf = (values: PlatformSettings): WorkerBounds =>
  Object.fromEntries(BOUNDED_SETTINGS.map((name) => [name, values[name]])) as unknown as WorkerBounds;

/**
 * What a setting may be at most, or null: any value. Of the worker's bound and the one of this process the tighter one
 * holds.
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
