import type { AtOnce, Channel } from '@copydesk/domain/attention';
import { sql } from 'kysely';
import type { Tx, WriteTx } from '../../../platform/db/database.ts';

export interface MailWishes {
  /** In the person's time zone; null: never. */
  digestHour: number | null;
  atOnce: AtOnce;
  channel: Channel;
}

/** The person's own wishes; nothing until the person chose some. */
export async function readWishes(tx: Tx, userId: string): Promise<MailWishes> {
  const { rows } = await sql<MailWishes>`
    SELECT digest_hour AS "digestHour", at_once AS "atOnce", channel FROM attention_mail
    WHERE user_id = ${userId}`.execute(tx.sql);
  return rows[0] ?? { digestHour: null, atOnce: 'nothing', channel: 'mail' };
}

/** @param wishes only the given ones change */
export async function saveWishes(tx: WriteTx, userId: string, wishes: Partial<MailWishes>): Promise<void> {
  const { digestHour, atOnce, channel } = wishes;
  await sql`
    INSERT INTO attention_mail AS m (user_id, digest_hour, at_once, channel)
    VALUES (${userId}, ${digestHour ?? null}, ${atOnce ?? 'nothing'}, ${channel ?? 'mail'})
    ON CONFLICT (user_id) DO UPDATE SET updated_at = now(),
      digest_hour = ${digestHour === undefined ? sql`m.digest_hour` : sql`excluded.digest_hour`},
      at_once = ${atOnce === undefined ? sql`m.at_once` : sql`excluded.at_once`},
      channel = ${channel === undefined ? sql`m.channel` : sql`excluded.channel`}`.execute(tx.sql);
}

/** Of a person whose chat is gone. Holds the row until the transaction ends. */
export async function useMailAgain(tx: WriteTx, userId: string): Promise<void> {
  await sql`UPDATE attention_mail SET channel = 'mail' WHERE user_id = ${userId}`.execute(tx.sql);
}

/** A person who wants to be told and may sign in. */
export interface MailedPerson extends MailWishes {
  id: string;
  email: string;
  name: string;
}

/** For workers. */
export async function listMailedPeople(tx: Tx): Promise<MailedPerson[]> {
  const { rows } = await sql<MailedPerson>`
    SELECT m.user_id AS id, p.email, p.email AS name, m.digest_hour AS "digestHour", m.at_once AS "atOnce",
      m.channel
    FROM attention_mail m JOIN identity.person p ON p.id::text = m.user_id
    WHERE (m.digest_hour IS NOT NULL OR m.at_once <> 'nothing')
      AND p.is_active AND p.disabled_at IS NULL AND p.email <> ''
    ORDER BY m.user_id`.execute(tx.sql);
  return rows;
}

/** The zone in which the person's day begins: the transaction is the person's own. */
export async function readTimeZone(tx: Tx, userId: string): Promise<string> {
  const { rows } = await sql<{ zone: string | null }>`
    SELECT time_zone AS zone FROM person_settings WHERE user_id = ${userId}`.execute(tx.sql);
  return rows[0]?.zone ?? 'UTC';
}

export interface Mailed extends MailWishes {
  /** As 2026-11-21. */
  digestOn: string | null;
  mailedAt: Date | null;
  mailed: string[];
}

/** What a person wants and got, locked, so that only one of two workers writes a message. */
export async function lockMailed(tx: WriteTx, userId: string): Promise<Mailed | null> {
  const { rows } = await sql<Mailed>`
    SELECT digest_hour AS "digestHour", at_once AS "atOnce", channel, digest_on::text AS "digestOn", mailed_at AS "mailedAt",
      mailed
    FROM attention_mail WHERE user_id = ${userId} FOR NO KEY UPDATE`.execute(tx.sql);
  return rows[0] ?? null;
}

export async function recordMailed(
  tx: WriteTx,
  userId: string,
  { digestOn, mailedAt, mailed }: Pick<Mailed, 'digestOn' | 'mailedAt' | 'mailed'>,
): Promise<void> {
  await sql`
    UPDATE attention_mail SET digest_on = ${digestOn}::date, mailed_at = ${mailedAt}, mailed = ${mailed}::text[]
    WHERE user_id = ${userId}`.execute(tx.sql);
}
