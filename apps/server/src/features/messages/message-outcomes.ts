import { sql } from 'kysely';

// Of a message `m`, in one place: Attention and the overview count exactly what the list shows.

/** Older failures are history: an addressee who still waits has asked again. */
const LATELY = sql`m.created_at > now() - interval '30 days'`;

/** A subquery that is run once per message: EXISTS would be hashed over all messages. */
const hasArrivedSince = (addressee: 'trader_id' | 'community_id') => sql`coalesce((SELECT true FROM message s
  WHERE s.${sql.ref(addressee)} = m.${sql.ref(addressee)} AND s.created_at > m.created_at AND s.state = 'sent'
  ORDER BY s.created_at DESC LIMIT 1), false)`;

/** Its invoice was recalled. Its trader needs only the message about the recall, so as not to pay it. */
export const isOfRecalled = sql`(m.kind <> 'invoice_recalled' AND EXISTS (SELECT FROM invoice i WHERE i.id = m.invoice_id
  AND i.recalled_at IS NOT NULL))`;

/** Failed, and no later message reached the trader. */
export const missedTrader = sql`m.state = 'failed' AND m.trader_id IS NOT NULL AND ${LATELY}
  AND NOT ${hasArrivedSince('trader_id')} AND NOT ${isOfRecalled}`;

/** Failed, and no later message reached the owner of the community. */
export const missedOwner = sql`m.state = 'failed' AND m.community_id IS NOT NULL AND ${LATELY}
  AND NOT ${hasArrivedSince('community_id')}`;

/** Either of the two. */
export const isNotDelivered = sql`(m.state = 'failed' AND ${LATELY} AND NOT CASE WHEN m.trader_id IS NULL
  THEN ${hasArrivedSince('community_id')} ELSE ${hasArrivedSince('trader_id')} OR ${isOfRecalled} END)`;
