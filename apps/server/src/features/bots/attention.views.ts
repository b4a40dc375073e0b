import { sql } from 'kysely';
import { type AttentionSource, aboutCommunity } from '../../core/attention/attention-source.ts';

/** Bots that Telegram does not let us read, and bots whose messages failed within a day. For super admins. */
export const failingBots: AttentionSource = {
  items: () => ({
    from: sql`exchange_bot b
      JOIN LATERAL (
        SELECT r.problem_at AS since, r.problem AS code, NULL::bigint AS n FROM exchange_bot_reading r
        WHERE r.bot_id = b.id AND r.problem IS NOT NULL
        UNION ALL
        SELECT min(m.created_at), 'messages', count(*) FROM exchange_bot_message m
        WHERE m.bot_id = b.id AND m.state = 'failed' AND m.created_at > now() - interval '1 day'
        HAVING count(*) > 0
        LIMIT 1) p ON true
      WHERE b.is_active`,
    subject: sql`b.community_id::text`,
    since: sql`p.since`,
    code: sql`p.code`,
    count: sql`p.n`,
    cause: sql`p.code`,
  }),
  about: aboutCommunity,
};
