import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { readVouching } from '../people/vouching.views.ts';

/**
 * Condition over a row of `payout_address_change`: its address is not paid to. Another person has not put it into the
 * address book, or the waiting time since it was set has not passed: never by time alone, and never at once.
 */
export const isHeldChange = (change: string, holdHours: number) =>
  sql`app.is_held(${sql.ref(`${change}.released_at`)}, ${sql.ref(`${change}.changed_at`)},
    make_interval(hours => ${holdHours}::int))`;

/** When the waiting time of a change ends. */
export const payableFrom = (change: string, holdHours: number) =>
  sql`${sql.ref(`${change}.changed_at`)} + make_interval(hours => ${holdHours}::int)`;

/** Who set the address of a change: for a program, the person that it belongs to. */
export const authorOf = (change: string) => sql<string>`coalesce((SELECT s.owner_id::text
  FROM identity.service_token s WHERE s.id::text = ${sql.ref(`${change}.changed_by_id`)}),
  ${sql.ref(`${change}.changed_by_id`)})`;

/**
 * Condition over a change: nobody but its author stands behind the address. The book of an upgrade holds what was payable
 * by time alone before.
 */
export const isUnvouched = (change: string) =>
  sql`(${sql.ref(`${change}.released_at`)} IS NULL OR ${sql.ref(`${change}.released_by_id`)} = 'upgrade')`;

/** Whether one of these authors is this person, or an account that it invited, promoted or reset. */
export async function isAnswerable(tx: Tx, personId: string, authorIds: readonly string[]): Promise<boolean> {
  if (authorIds.includes(personId)) return true;
  const known = await readVouching(tx, authorIds);
  return [...known.values()].some(({ sponsorIds }) => sponsorIds.includes(personId));
}
