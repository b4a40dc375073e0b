import type { BillingReminder, Language } from '@copydesk/domain';
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

export interface ClaimedMail {
  id: string;
  /** Null: the person is gone, or may not sign in any more. */
  email: string | null;
  subject: string;
  body: string;
  attempts: number;
}

/** Claims the e-mail that has waited longest, until its lease ends. */
export async function claimMail(
  tx: WriteTx,
  { at, leaseMs }: { at: Date; leaseMs: number },
): Promise<ClaimedMail | null> {
  const { rows } = await sql<ClaimedMail>`
    WITH due AS MATERIALIZED (
      SELECT d.id FROM billing_mail d WHERE d.state = 'queued' AND d.due_at <= ${at}
      ORDER BY d.due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
    UPDATE billing_mail m SET due_at = ${new Date(at.getTime() + leaseMs)} FROM due WHERE m.id = due.id
    RETURNING m.id, m.subject, m.body, m.attempts,
      (SELECT p.email FROM identity.person p WHERE p.id = m.user_id AND p.is_active AND p.disabled_at IS NULL) AS email`.execute(
    tx.sql,
  );
  return rows[0] ?? null;
}

/** Records the outcome of an attempt. @param retryAt of one that failed and is tried again */
export async function recordMail(
  tx: WriteTx,
  id: string,
  { state, at, retryAt }: { state: 'sent' | 'failed' | 'queued'; at: Date; retryAt?: Date },
): Promise<void> {
  await sql`
    UPDATE billing_mail SET state = ${state}, attempts = attempts + 1, due_at = ${retryAt ?? at},
      sent_at = ${state === 'sent' ? at : null}
    WHERE id = ${id} AND state = 'queued'`.execute(tx.sql);
}
