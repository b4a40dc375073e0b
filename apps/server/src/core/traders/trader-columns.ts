import { type RawBuilder, sql } from 'kysely';

// What several features show of a trader and its community, over `trader t` and `community c`.

/** A trader `t` in a label or a sentence: the reference number, or else the name at Telegram. */
export const traderLabel = (fallback: 'a trader' | 'a member'): RawBuilder<string> =>
  sql<string>`coalesce(t.reference_number, t.telegram_username, ${sql.lit(fallback)})`;

/** A trader `t` in JSON as lists name it. @param more further pairs of keys and values, beginning with a comma */
export const traderJson = (more: RawBuilder<unknown> = sql``): RawBuilder<unknown> =>
  sql`json_build_object('id', t.id, 'name', t.name,
  'telegram_username', t.telegram_username, 'reference_number', t.reference_number${more})`;

/** A community `c` in JSON as lists name it. */
export const communityJson: RawBuilder<unknown> = sql`json_build_object('id', c.id, 'name', c.name)`;
