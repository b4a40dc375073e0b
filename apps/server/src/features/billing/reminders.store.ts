import type { BillingReminder } from '@copydesk/domain/billing';
import type { Language } from '@copydesk/domain/catalogue';
import { sql } from 'kysely';
import type { Tx, WriteTx } from '../../platform/db/database.ts';
import { communityInScope } from '../../platform/db/scope-filter.ts';

export interface Owner {
  name: string | null;
  language: Language;
  hasChat: boolean;
}

export async function findOwner(tx: Tx, communityId: string): Promise<Owner | null> {
  const { rows } = await sql<Owner>`
    SELECT c.owner_name AS name, coalesce(c.owner_language, 'en') AS language, c.owner_telegram_id IS NOT NULL AS "hasChat"
    FROM community c WHERE c.id = ${communityId} AND ${communityInScope(tx, 'c.id')}`.execute(tx.sql);
  return rows[0] ?? null;
}

/** Whether a fact has been reported: to the owner, or to anyone by e-mail. */
export async function isReported(tx: Tx, key: string): Promise<{ byMessage: boolean; byMail: boolean }> {
  const { rows } = await sql<{ byMessage: boolean; byMail: boolean }>`
    SELECT EXISTS (SELECT FROM message m WHERE m.dedupe_key = ${key}) AS "byMessage",
      EXISTS (SELECT FROM billing_mail m WHERE m.dedupe_key = ${key}) AS "byMail"`.execute(tx.sql);
  return rows[0] ?? { byMessage: false, byMail: false };
}

/**
 * Queues an e-mail to each owner of a provider that works with the community; without one, to the super admins, who
 * alone can subscribe it. One about the same fact to the same person is skipped.
 */
export async function queueMails(
  tx: WriteTx,
  mail: { communityId: string; kind: BillingReminder; key: string; subject: string; body: string },
): Promise<void> {
  const { communityId, kind, key, subject, body } = mail;
  await sql`
    WITH able AS (
      SELECT p.id, p.super, EXISTS (
        SELECT FROM community_provider cp
        WHERE cp.community_id = ${communityId} AND cp.removed_at IS NULL AND cp.provider_id = ANY (p.provider_ids)
          AND p.staff_roles ->> cp.provider_id::text = 'owner') AS is_owner
      FROM identity.person p WHERE p.admin AND p.is_active AND p.disabled_at IS NULL AND p.email <> '')
    INSERT INTO billing_mail (community_id, user_id, kind, dedupe_key, subject, body)
    SELECT ${communityId}, a.id, ${kind}, ${key}, ${subject}, ${body} FROM able a
    WHERE a.is_owner OR a.super AND NOT EXISTS (SELECT FROM able o WHERE o.is_owner)
    ORDER BY a.id
    ON CONFLICT (dedupe_key, user_id) DO NOTHING`.execute(tx.sql);
}

export interface WaitingReminder {
  id: string;
  /** Null: the person is gone, or may not sign in any more. */
  email: string | null;
  subject: string;
  body: string;
}

/** Locks the e-mail that has waited longest; other workers take the next one meanwhile. */
export async function lockMail(tx: WriteTx, at: Date): Promise<WaitingReminder | null> {
  const { rows } = await sql<WaitingReminder>`
    SELECT m.id, m.subject, m.body,
      (SELECT p.email FROM identity.person p WHERE p.id = m.user_id AND p.is_active AND p.disabled_at IS NULL) AS email
    FROM billing_mail m WHERE m.state = 'queued' AND m.due_at <= ${at}
    ORDER BY m.due_at LIMIT 1 FOR UPDATE SKIP LOCKED`.execute(tx.sql);
  return rows[0] ?? null;
}

/** @param state `sent`: it was handed over to the mails that wait */
export async function recordMail(
  tx: WriteTx,
  id: string,
  { state, at }: { state: 'sent' | 'failed'; at: Date },
): Promise<void> {
  await sql`
    UPDATE billing_mail SET state = ${state}, attempts = attempts + 1, due_at = ${at},
      sent_at = ${state === 'sent' ? at : null}
    WHERE id = ${id}`.execute(tx.sql);
}
