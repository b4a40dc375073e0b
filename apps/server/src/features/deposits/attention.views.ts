import { sql } from 'kysely';
import type { AttentionSource } from '../../core/attention/attention-source.ts';

/** The chain is not read, so that no payment is seen. */
export const stoppedReading: AttentionSource = {
  items: () => ({
    from: sql`chain_cursor c WHERE c.stopped_because IS NOT NULL`,
    subject: sql`c.chain_id::text`,
    since: sql`c.updated_at`,
    code: sql`c.stopped_because`,
    turn: sql`CASE WHEN c.needs_review THEN 'you' ELSE 'system' END`,
  }),
  about: null,
};
