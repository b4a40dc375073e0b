import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { readVouching } from '../orders/vouching.views.ts';

/**
 * Condition over a row of `payout_address_change`: its address is not paid to, because another person has not
 * put it into the address book, or because the waiting time since it was set has not passed. Payment needs
 * both.
 */
export const isHeldChange = (change: string, holdHours: number) =>
  sql`app.is_held(${sql.ref(`${change}.released_at`)}, ${sql.ref(`${change}.changed_at`)},
    make_interval(hours => ${holdHours}::int))`;

/** What the owner of a changed address said of it by Telegram, as in the contract; null: nothing. */
export const wordOn = (
  change: string,
) => sql`(SELECT jsonb_build_object('kind', w.kind, 'read_at', app.iso(w.read_at))
  FROM payout_address_word w WHERE w.change_id = ${sql.ref(`${change}.id`)})`;

/** What the chain knows of the address in a column, as in the contract; null: not read yet, or not to be seen. */
export const chainOf = (address: string) => sql`(SELECT json_build_object('read_at', app.iso(r.read_at),
  'is_contract', r.is_contract, 'is_token', r.is_token, 'is_used', r.is_used)
  FROM address_reading r WHERE r.address = lower(${sql.ref(address)}) ORDER BY r.read_at DESC LIMIT 1)`;

/** Refuses what would go to a contract of tokens. @throws Refusal `address_is_token` */
export async function refuseTokens(tx: Tx, addresses: readonly (string | null)[]): Promise<void> {
  const asked = addresses.flatMap((address) => address?.toLowerCase() ?? []);
  const { rows } = await sql`SELECT FROM address_reading r
    WHERE r.address = ANY (${asked}::text[]) AND r.is_token LIMIT 1`.execute(tx.sql);
  if (rows.length > 0) throw new Refusal('address_is_token');
}

/** When the waiting time of a change ends. */
export const payableFrom = (change: string, holdHours: number) =>
  sql`${sql.ref(`${change}.changed_at`)} + make_interval(hours => ${holdHours}::int)`;

/** Who set the address of a change: for a program, the person that it belongs to. */
export const authorOf = (change: string) => sql<string>`coalesce((SELECT s.owner_id::text
  FROM identity.service_token s WHERE s.id::text = ${sql.ref(`${change}.changed_by_id`)}),
  ${sql.ref(`${change}.changed_by_id`)})`;

/** The display name of the person who set the address of a change. */
export const setBy = (change: string) => sql`coalesce((SELECT p.email FROM identity.person p
  WHERE p.id::text = ${authorOf(change)}), ${sql.ref(`${change}.changed_by_id`)})`;

/**
 * What the latest change of an address says of it, as in the contract, and `changed_by_id`, who may not release it.
 * @param isSet where there is a change, and an address to pay to
 */
export const changeColumns = (change: string, holdHours: number, isSet: RawBuilder<unknown> = sql`true`) => {
  const { ref } = sql;
  const waits = sql`${isSet} AND ${ref(`${change}.released_at`)} IS NULL`;
  return sql`app.iso(${ref(`${change}.changed_at`)}) AS changed_at,
    CASE WHEN ${isSet} AND ${isHeldChange(change, holdHours)}
      THEN app.iso(${payableFrom(change, holdHours)}) END AS payable_from,
    ${waits} AS awaits_release, CASE WHEN ${waits} THEN ${ref(`${change}.id`)} END AS change_id,
    ${authorOf(change)} AS changed_by_id`;
};

/**
 * Condition over a change: only its author has confirmed the address. A release by an upgrade does not count
 * as a confirmation: it covers addresses that became payable by time alone.
 */
export const isUnvouched = (change: string) =>
  sql`(${sql.ref(`${change}.released_at`)} IS NULL OR ${sql.ref(`${change}.released_by_id`)} = 'upgrade')`;

/** Whether one of these authors is this person, or an account that it invited, promoted or reset. */
export const isAnswerable = async (tx: Tx, personId: string, authorIds: readonly string[]) =>
  (await findAnswerable(tx, personId, authorIds)) !== null;

/** Which of these authors it is, by e-mail address; null: none. */
export async function findAnswerable(
  tx: Tx,
  personId: string,
  authorIds: readonly string[],
): Promise<string | null> {
  const known = [...(await readVouching(tx, authorIds)).values()];
  const author =
    known.find(({ id }) => id === personId) ?? known.find(({ sponsorIds }) => sponsorIds.includes(personId));
  return author?.email ?? (authorIds.includes(personId) ? personId : null);
}
