import { sql } from 'kysely';
import type { Story, TimelineSource } from '../../core/timeline/timeline-source.ts';
import type { AnyTx } from '../../platform/db/database.ts';
import { providerInScope } from '../../platform/db/scope-filter.ts';

/** What the trader was told: about an invoice, or at all. */
export const messagesOfStory: TimelineSource = {
  events: (tx, story) =>
    messages(tx, story).map((from) => ({
      at: sql`coalesce(m.sent_at, m.created_at)`,
      kind: 'message',
      state: sql`CASE m.state WHEN 'sent' THEN 'done' WHEN 'failed' THEN 'failed' ELSE 'under_way' END`,
      actor: 'system',
      ...(story.subject.kind === 'trader' && { about: { kind: 'invoice', id: sql`m.invoice_id` } }),
      detail: sql`m.kind`,
      problem: sql`m.problem`,
      from,
    })),
  open: (tx, story) =>
    messages(tx, story).map((from) => ({
      kind: sql`CASE m.state WHEN 'failed' THEN 'message_again' ELSE 'message_sent' END`,
      at: sql`CASE m.state WHEN 'queued' THEN min(m.due_at) END`,
      count: sql`count(*)::int`,
      from: sql`${from} AND m.state <> 'sent' GROUP BY m.state`,
    })),
};

const messages = (tx: AnyTx, { subject: { kind, id } }: Story) =>
  kind === 'payout'
    ? []
    : [
        sql`message m WHERE ${kind === 'trader' ? sql`m.trader_id` : sql`m.invoice_id`} = ${id}
          AND ${providerInScope(tx, 'm.provider_id')}`,
      ];
