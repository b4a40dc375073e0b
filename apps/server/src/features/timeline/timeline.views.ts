import type { Timeline } from '@copydesk/contract/timeline';
import { expectNext, type OpenStep, TIMELINE_EVENTS, type TimelineSubject } from '@copydesk/domain/timeline';
import { type RawBuilder, sql } from 'kysely';
import { eventRows, openRows, type Story, type TimelineSource } from '../../core/timeline/timeline-source.ts';
import type { AnyTx } from '../../platform/db/database.ts';
import { providerInScope, traderInScope } from '../../platform/db/scope-filter.ts';
import { usdt } from '../../platform/db/usdt-text.ts';

/** Facts of one transaction have the clocks of different machines: within a second they stand in the order of the story. */
const latestFirst = sql`date_trunc('second', e.at) DESC, array_position(${[...TIMELINE_EVENTS]}::text[], e.kind) DESC,
  e.at DESC, e.about_id`;

interface Found {
  /** The row `s` of the subject in the scope of the reader. */
  found: RawBuilder<unknown>;
  invoices: RawBuilder<unknown> | null;
  shares: RawBuilder<unknown>;
}

const SUBJECTS: Record<TimelineSubject, (tx: AnyTx, id: string) => Found> = {
  trader(tx, id) {
    const invoices = sql`SELECT v.id FROM invoice v WHERE v.trader_id = ${id} AND ${providerInScope(tx, 'v.provider_id')}`;
    return {
      found: sql`trader s WHERE s.id = ${id} AND ${traderInScope(tx, 's.id')}`,
      invoices,
      shares: sql`y.invoice_id IN (${invoices})`,
    };
  },
  invoice: (tx, id) => ({
    found: sql`invoice s WHERE s.id = ${id} AND ${providerInScope(tx, 's.provider_id')}
      AND ${traderInScope(tx, 's.trader_id')}`,
    invoices: sql`SELECT ${id}::uuid`,
    shares: sql`y.invoice_id = ${id}`,
  }),
  payout: (tx, id) => ({
    found: sql`payout s WHERE s.id = ${id} AND ${
      tx.scope.kind === 'all'
        ? sql`true`
        : sql`EXISTS (SELECT FROM payout_provider v WHERE v.payout_id = s.id AND ${providerInScope(tx, 'v.provider_id')})`
    }`,
    invoices: null,
    shares: sql`y.payout_id = ${id}`,
  }),
};

/** The timeline of a subject in scope; null when there is no such subject. */
export async function findTimeline(
  tx: AnyTx,
  subject: Story['subject'],
  limit: number,
  sources: readonly TimelineSource[],
): Promise<Timeline | null> {
  const { found, ...facts } = SUBJECTS[subject.kind](tx, subject.id);
  const story: Story = { subject, ...facts };
  const union = (rows: RawBuilder<unknown>[]) => sql.join(rows, sql` UNION ALL `);
  const { rows } = await sql<Pick<Timeline, 'events' | 'event_count'> & { open: OpenStep[] }>`
    WITH event AS (${union(sources.flatMap((source) => source.events(tx, story)).map(eventRows))}),
      open AS (${union(sources.flatMap((source) => source.open(tx, story)).map(openRows))})
    SELECT (SELECT count(*)::int FROM event) AS event_count, (
        SELECT coalesce(json_agg(json_build_object('at', app.iso(e.at), 'kind', e.kind, 'state', e.state,
          'amount', ${usdt(sql`e.units`)}, 'count', e.count, 'actor', e.actor, 'actor_name', e.actor_name,
          'transaction_hash', e.hash, 'detail', e.detail, 'problem', e.problem,
          'subject', CASE WHEN e.about_id IS NOT NULL THEN json_build_object('kind', e.about, 'id', e.about_id) END)
          ORDER BY ${latestFirst}), '[]')
        FROM (SELECT * FROM event e ORDER BY ${latestFirst} LIMIT ${limit}) e) AS events,
      (SELECT coalesce(json_agg(json_build_object('kind', o.kind, 'at', app.iso(o.at), 'count', o.count)), '[]')
        FROM open o) AS open
    FROM ${found}`.execute(tx.sql);
  const [row] = rows;
  return row ? { events: row.events, event_count: row.event_count, expected: expectNext(row.open) } : null;
}
