import { type RawBuilder, sql } from 'kysely';

/**
 * A column of names for ORDER BY, in the order that people read: whatever case, accents and database. Not for lists with
 * pages: no index has this order.
 */
export const byName = (column: string): RawBuilder<unknown> => sql`${sql.ref(column)} COLLATE app.names`;
