import { sql } from 'kysely';
import type { AttentionSource } from '../../core/attention/attention-source.ts';

export const waitingSettings: AttentionSource = {
  items: () => ({
    from: sql`platform_setting_change s WHERE s.state = 'waiting'`,
    subject: sql`s.id::text`,
    since: sql`s.requested_at`,
    code: sql`s.name`,
    authorId: sql`s.requested_by_id`,
  }),
  about: null,
};
