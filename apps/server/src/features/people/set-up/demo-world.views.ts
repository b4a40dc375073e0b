import type { Tx } from '../../../platform/db/database.ts';

/** Whether the database is marked as a demo world. Only seeding can mark it, not the application. */
export async function isDemoWorld(tx: Tx): Promise<boolean> {
  const mark = await tx.sql.selectFrom('demo_world').select('traders').limit(1).executeTakeFirst();
  return mark !== undefined;
}
