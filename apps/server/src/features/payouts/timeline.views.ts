import { type RawBuilder, sql } from 'kysely';
import type { Events, Open, Story, TimelineSource } from '../../core/timeline/timeline-source.ts';
import type { AnyTx } from '../../platform/db/database.ts';
import { providerInScope } from '../../platform/db/scope-filter.ts';

/**
 * From the shares of invoices to the payout that is final. Who ordered and approved, and what was sent, is for those who
 * see everything: a transfer may pay shares of any provider.
 */
export const storyOfShares: TimelineSource = {
  events: (tx, story) => [
    ...(tx.scope.kind === 'all' ? collected(story) : []),
    // A trader's ends with what it paid: shares are of their recipients.
    ...(story.subject.kind === 'trader' ? [] : sharesOf(tx, story)),
  ],
  open: (tx, story) =>
    story.subject.kind === 'trader'
      ? []
      : [
          undistributed(tx, story),
          failedPayouts(tx, story),
          ...(tx.scope.kind === 'all' ? under(story) : []),
        ],
};

const sharesOf = (tx: AnyTx, story: Story): Events[] => [
  sharesDue(tx, story),
  ordered(tx, story),
  paid(tx, story),
  failed(tx, story),
  ...(tx.scope.kind === 'all' ? [...decided(story), sent(story)] : []),
];

const mine = (tx: AnyTx, { shares }: Story) => sql`${shares} AND ${providerInScope(tx, 'y.provider_id')}`;

/** The payouts of the shares, with what each pays of them; of a payout itself one that has none left as well. */
const payouts = (tx: AnyTx, story: Story): RawBuilder<unknown> => sql`(
  SELECT o.id, o.status, o.problem, o.created_at, o.updated_at, o.distribution_id, o.recipient_type, o.replaced_by_id,
    o.distribute_transaction_hash AS hash, p.units, p.paid_at
  FROM (SELECT y.payout_id, sum(y.amount_units) AS units, max(y.paid_at) AS paid_at FROM payable y
    WHERE ${mine(tx, story)} AND y.payout_id IS NOT NULL GROUP BY y.payout_id) p JOIN payout o ON o.id = p.payout_id
  ${
    story.subject.kind === 'payout' && tx.scope.kind === 'all'
      ? sql`UNION ALL SELECT o.id, o.status, o.problem, o.created_at, o.updated_at, o.distribution_id, o.recipient_type,
          o.replaced_by_id, o.distribute_transaction_hash, o.amount_units, NULL
        FROM payout o WHERE o.id = ${story.subject.id} AND NOT EXISTS (SELECT FROM payable y WHERE y.payout_id = o.id)`
      : sql``
  })`;

/** The link of an event to its payout; the payout's own timeline needs none. */
const about = ({ subject }: Story) =>
  subject.kind === 'payout' ? {} : { about: { kind: 'payout' as const, id: sql`o.id` } };

const sharesDue = (tx: AnyTx, story: Story): Events => ({
  at: sql`max(y.created_at)`,
  kind: 'shares_due',
  units: sql`sum(y.amount_units)`,
  count: sql`count(*)::int`,
  actor: 'system',
  // Those of an invoice came with its payments; a payout may pay those of thousands.
  from: sql`payable y WHERE ${mine(tx, story)} AND y.settled_at IS NULL ${
    story.subject.kind === 'invoice'
      ? sql`GROUP BY date_trunc('minute', y.created_at)`
      : sql`HAVING count(*) > 0`
  }`,
});

const ordered = (tx: AnyTx, story: Story): Events => ({
  at: sql`o.created_at`,
  kind: 'payout_ordered',
  units: sql`o.units`,
  // An import ordered it.
  actor: sql`CASE WHEN o.distribution_id IS NULL THEN 'system' ELSE 'person' END`,
  ...(tx.scope.kind === 'all' && { actorName: sql`d.requested_by` }),
  ...about(story),
  detail: sql`o.recipient_type`,
  from: sql`${payouts(tx, story)} o ${tx.scope.kind === 'all' ? sql`LEFT JOIN distribution d ON d.id = o.distribution_id` : sql``}`,
});

const paid = (tx: AnyTx, story: Story): Events => ({
  at: sql`coalesce(o.paid_at, o.updated_at)`,
  kind: 'payout_paid',
  units: sql`o.units`,
  actor: 'chain',
  hash: sql`o.hash`,
  ...about(story),
  detail: sql`o.recipient_type`,
  from: sql`${payouts(tx, story)} o WHERE o.status = 'distributed'`,
});

const failed = (tx: AnyTx, story: Story): Events => ({
  at: sql`o.updated_at`,
  kind: sql`CASE WHEN o.replaced_by_id IS NULL THEN 'payout_failed' ELSE 'payout_replaced' END`,
  state: sql`CASE WHEN o.replaced_by_id IS NULL THEN 'failed' ELSE 'done' END`,
  units: sql`o.units`,
  actor: 'system',
  about: {
    kind: 'payout',
    id: story.subject.kind === 'payout' ? sql`o.replaced_by_id` : sql`coalesce(o.replaced_by_id, o.id)`,
  },
  detail: sql`o.recipient_type`,
  problem: sql`o.problem`,
  from: sql`${payouts(tx, story)} o WHERE o.status = 'failed'`,
});

/** Distributions of the shares. A decision is about the whole of one. */
const distributions = ({ shares, subject }: Story) =>
  sql`distribution d WHERE d.id IN (SELECT o.distribution_id FROM payout o WHERE ${
    subject.kind === 'payout'
      ? sql`o.id = ${subject.id}`
      : sql`o.id IN (SELECT y.payout_id FROM payable y WHERE ${shares})`
  })`;

const decided = (story: Story): Events[] => [
  {
    at: sql`d.first_approved_at`,
    kind: 'payout_first_approved',
    units: sql`d.amount_units`,
    actor: 'person',
    actorName: sql`d.first_approved_by`,
    from: sql`${distributions(story)} AND d.first_approved_at IS NOT NULL`,
  },
  {
    at: sql`d.decided_at`,
    kind: sql`CASE d.state WHEN 'declined' THEN 'payout_declined' ELSE 'payout_approved' END`,
    units: sql`d.amount_units`,
    actor: 'person',
    actorName: sql`d.decided_by`,
    from: sql`${distributions(story)} AND d.decided_at IS NOT NULL`,
  },
];

/** What became of transfers: sent without a receipt is known to be neither paid nor unpaid. */
const state = sql`CASE t.state WHEN 'final' THEN 'done' WHEN 'sent' THEN 'unknown' ELSE 'failed' END`;
const newestHash = sql`CASE WHEN count(*) = 1 THEN (SELECT a.hash FROM transfer_attempt a
  WHERE a.transfer_id = (array_agg(t.id))[1] ORDER BY a.attempt DESC LIMIT 1) END`;
const ofShares = ({ shares, subject }: Story) =>
  subject.kind === 'payout'
    ? sql`t.payout_id = ${subject.id}`
    : sql`t.payout_id IN (SELECT y.payout_id FROM payable y WHERE ${shares})`;
const consolidations = ({ shares }: Story) =>
  sql`transfer t WHERE t.id IN (SELECT y.consolidation_id FROM payable y WHERE ${shares})`;

/** A transfer pays shares of other invoices as well: its amount says something of its payout alone. */
const whole = ({ subject }: Story) => subject.kind === 'payout';

/** A payout may need the deposits of thousands of traders: those of a minute are one event. */
const collected = (story: Story): Events[] => [
  {
    at: sql`max(t.sent_at)`,
    kind: 'consolidation_sent',
    state,
    ...(whole(story) && { units: sql`sum(t.amount_units)` }),
    count: sql`count(*)::int`,
    actor: 'system',
    hash: newestHash,
    problem: sql`CASE WHEN ${state} = 'failed' THEN coalesce(max(t.problem), t.state) END`,
    from: sql`${consolidations(story)} AND t.sent_at IS NOT NULL GROUP BY t.state, date_trunc('minute', t.sent_at)`,
  },
  {
    at: sql`max(t.ended_at)`,
    kind: 'consolidation_final',
    ...(whole(story) && { units: sql`sum(t.amount_units)` }),
    count: sql`count(*)::int`,
    actor: 'chain',
    from: sql`${consolidations(story)} AND t.state = 'final' GROUP BY date_trunc('minute', t.ended_at)`,
  },
];

const sent = (story: Story): Events => ({
  at: sql`t.sent_at`,
  kind: 'payout_sent',
  state,
  ...(whole(story)
    ? { units: sql`t.amount_units` }
    : { about: { kind: 'payout' as const, id: sql`t.payout_id` } }),
  actor: 'system',
  hash: sql`(SELECT a.hash FROM transfer_attempt a WHERE a.transfer_id = t.id ORDER BY a.attempt DESC LIMIT 1)`,
  problem: sql`CASE WHEN ${state} = 'failed' THEN coalesce(t.problem, t.state) END`,
  from: sql`transfer t WHERE ${ofShares(story)} AND t.sent_at IS NOT NULL`,
});

const undistributed = (tx: AnyTx, story: Story): Open => ({
  kind: 'distribution',
  count: sql`count(*)::int`,
  from: sql`payable y WHERE ${mine(tx, story)} AND y.payout_id IS NULL AND y.settled_at IS NULL HAVING count(*) > 0`,
});

const failedPayouts = (tx: AnyTx, story: Story): Open => ({
  kind: 'payout_again',
  count: sql`count(*)::int`,
  from: sql`payout o WHERE o.status = 'failed' AND o.replaced_by_id IS NULL
    AND o.id IN (SELECT y.payout_id FROM payable y WHERE ${mine(tx, story)}) HAVING count(*) > 0`,
});

const under = (story: Story): Open[] => [
  {
    kind: 'approval',
    count: sql`count(*)::int`,
    from: sql`${distributions(story)} AND d.state = 'awaiting_approval' HAVING count(*) > 0`,
  },
  {
    kind: sql`CASE t.state WHEN 'sent' THEN 'transfer_final' ELSE 'transfer_signed' END`,
    count: sql`count(*)::int`,
    from: sql`(SELECT t.id, t.state FROM ${consolidations(story)} UNION SELECT t.id, t.state FROM transfer t
      WHERE ${ofShares(story)}) t WHERE t.state IN ('planned', 'sent') GROUP BY t.state`,
  },
];
