import { sql } from 'kysely';
import type { WriteTx } from '../../../platform/db/database.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { findUser } from '../users/users.store.ts';

const LENGTH_MS = 30 * 60_000;

/**
 * Opens a view of another user for half an hour, and ends the one before. Super admins see everything already, and a
 * user without the admin flag sees nothing.
 * @throws Refusal `not_found`, `own_account`, `nothing_to_view`
 */
export async function beginView(tx: WriteTx, id: string, at: Date): Promise<Date> {
  const user = await findUser(tx, id);
  if (!user) throw new Refusal('not_found');
  if (user.id === tx.actor.id) throw new Refusal('own_account');
  if (user.flags.super || !user.flags.admin || user.disabled) throw new Refusal('nothing_to_view');
  const expiresAt = new Date(at.getTime() + LENGTH_MS);
  await sql`INSERT INTO identity.view_as (viewer_id, user_id, started_at, expires_at)
    VALUES (${tx.actor.id}, ${user.id}, ${at}, ${expiresAt})
    ON CONFLICT (viewer_id) DO UPDATE SET user_id = excluded.user_id, started_at = excluded.started_at,
      expires_at = excluded.expires_at`.execute(tx.sql);
  tx.audit({
    action: 'user.view_began',
    target: { kind: 'user', id: user.id },
    after: { expires_at: expiresAt.toISOString() },
  });
  return expiresAt;
}

/** Ends the caller's view, if one is open. */
export async function endView(tx: WriteTx): Promise<void> {
  const { rows } = await sql<{ user_id: string }>`
    DELETE FROM identity.view_as WHERE viewer_id = ${tx.actor.id} RETURNING user_id`.execute(tx.sql);
  const [ended] = rows;
  if (ended) tx.audit({ action: 'user.view_ended', target: { kind: 'user', id: ended.user_id } });
}
