import type { PlatformSettings } from '@copydesk/domain/settings';
import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';

/**
 * The settings that were changed in the console and not locked since. Their values were validated when they were
 * written.
 */
export async function readStoredSettings(tx: Tx): Promise<Partial<PlatformSettings>> {
  const { rows } = await sql<{ name: keyof PlatformSettings; value: never }>`
    SELECT name, value FROM platform_setting WHERE value IS NOT NULL`.execute(tx.sql);
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}
