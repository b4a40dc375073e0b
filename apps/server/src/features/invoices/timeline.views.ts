import { type RawBuilder, sql } from 'kysely';
import type { Events, Open, TimelineSource } from '../../core/timeline/timeline-source.ts';
import type { AnyTx } from '../../platform/db/database.ts';
import { providerInScope } from '../../platform/db/scope-filter.ts';
import { chargedPositions } from './detail/invoice-detail.views.ts';

/** From the positions that closed to the payment that is booked. */
export const storyOfInvoices: TimelineSource = {
  events(tx, { subject, invoices }) {
    if (invoices === null) return [];
    const all = [positionsClosed, deducted, arrived, ...booked].map((of) => of(tx, invoices));
    // Beside others, an event leads to its invoice.
    return subject.kind === 'invoice'
      ? all
      : all.map((event) => ({ ...event, about: { kind: 'invoice', id: sql`i.id` } }));
  },
  open: (tx, { invoices }) => (invoices === null ? [] : [owed(invoices), ...seen(tx, invoices)]),
};

type Ids = RawBuilder<unknown>;

const positionsClosed = (tx: AnyTx, ids: Ids): Events => ({
  at: sql`max(c.closed_at)`,
  kind: 'positions_closed',
  count: sql`count(*)::int`,
  actor: 'exchange',
  detail: sql`CASE WHEN count(DISTINCT a.exchange) = 1 THEN min(a.exchange) END`,
  from: sql`invoice i CROSS JOIN LATERAL ${chargedPositions(tx)} o JOIN closed_position c ON c.id = o.id
    JOIN exchange_account a ON a.id = c.account_id WHERE i.id IN (${ids}) GROUP BY i.id`,
});

const deducted = (_tx: AnyTx, ids: Ids): Events => ({
  at: sql`i.created_at`,
  kind: 'deducted',
  units: sql`u.amount_units`,
  actor: 'system',
  about: { kind: 'invoice', id: sql`d.invoice_id` },
  from: sql`invoice_deduction_use u JOIN invoice_deduction d ON d.id = u.deduction_id JOIN invoice i ON i.id = u.invoice_id
    WHERE i.id IN (${ids})`,
});

/** On chain; what an invoice takes of it is booked when it is final. */
const arrived = (tx: AnyTx, ids: Ids): Events => ({
  at: sql`m.received_at`,
  kind: 'payment_arrived',
  units: sql`m.amount_units`,
  actor: 'trader',
  hash: sql`m.transaction_hash`,
  from: sql`invoice i JOIN invoice_payment m ON m.invoice_id = i.id WHERE i.id IN (${ids}) AND m.transaction_hash IS NOT NULL
    AND ${providerInScope(tx, 'm.provider_id')}`,
});

/**
 * From the journals and, where no money moved, from the audit, which only super admins see. An imported invoice has no
 * journals: its row has the times of issue and payment.
 */
const booked: ((tx: AnyTx, ids: Ids) => Events)[] = [
  (tx, ids) => ({
    at: sql`CASE j.kind WHEN 'invoice_issued' THEN i.created_at ELSE j.created_at END`,
    kind: sql`CASE j.kind WHEN 'invoice_issued' THEN 'invoiced' WHEN 'invoice_paid' THEN 'payment_booked'
      WHEN 'pool_fee_moved' THEN 'paid_by_pool' WHEN 'invoice_settled_by_hand' THEN 'settled_by_hand'
      WHEN 'invoice_cancelled' THEN CASE WHEN i.recalled_at IS NULL THEN 'cancelled' ELSE 'recalled' END
      WHEN 'invoice_discounted' THEN 'discounted'
      ELSE CASE back.kind WHEN 'invoice_settled_by_hand' THEN 'marked_unpaid' ELSE 'payment_taken_back' END END`,
    units: sql`CASE WHEN j.kind <> 'reversal' THEN sum(abs(own.amount)) END`,
    actor: sql`CASE j.actor_kind WHEN 'user' THEN 'person' WHEN 'service' THEN 'program' ELSE 'system' END`,
    // An imported invoice entered the books long after its issue elsewhere.
    actorName: sql`CASE WHEN j.kind = 'invoice_issued' AND j.created_at > i.created_at + interval '1 hour'
      OR j.actor_kind = 'system' THEN NULL ELSE nullif(j.actor_name, '') END`,
    from: sql`invoice i JOIN ledger_account a ON a.owner_id = i.id AND a.kind IN ('receivable', 'payable_tip')
      JOIN posting own ON own.account_id = a.id AND ${providerInScope(tx, 'own.provider_id')}
      JOIN journal j ON j.id = own.journal_id LEFT JOIN journal back ON back.id = j.reverses
      WHERE i.id IN (${ids}) GROUP BY i.id, j.id, back.kind`,
  }),
  (_tx, ids) => ({
    at: sql`e.at`,
    kind: sql`e.kind`,
    units: sql`e.units`,
    actor: sql`CASE e.kind WHEN 'settled_by_hand' THEN 'person' ELSE 'system' END`,
    from: sql`invoice i CROSS JOIN LATERAL (VALUES (i.created_at, 'invoiced', i.amount_units),
      (i.paid_at, CASE i.settled_by WHEN 'chain' THEN 'payment_booked' ELSE 'settled_by_hand' END,
        CASE i.settled_by WHEN 'chain' THEN i.paid_units END)) e (at, kind, units)
      WHERE i.id IN (${ids}) AND e.at IS NOT NULL AND NOT EXISTS (SELECT FROM ledger_account a WHERE a.owner_id = i.id)`,
  }),
  (_tx, ids) => ({
    at: sql`e.at`,
    kind: sql`split_part(e.action, '.', 2)`,
    actor: 'person',
    actorName: sql`nullif(e.actor_name, '')`,
    from: sql`invoice i JOIN audit_entry e ON e.target_kind = 'invoice' AND e.target_id = i.id::text
      WHERE i.id IN (${ids})
      AND e.action IN ('invoice.archived', 'invoice.unarchived')`,
  }),
];

/** The fee of a cycle is paid by its pool, and an archived invoice is not asked for. */
const owed = (ids: Ids): Open => ({
  kind: sql`o.kind`,
  at: sql`min(o.due_at)`,
  count: sql`count(*)::int`,
  from: sql`(SELECT i.due_at, CASE WHEN i.invoice_type = 'exchange_bot' THEN 'order_due'
      WHEN i.due_at < now() THEN 'payment_overdue' ELSE 'payment_due' END AS kind
    FROM invoice i WHERE i.id IN (${ids}) AND i.status = 'pending' AND NOT i.is_archived AND i.harvest_cycle_id IS NULL) o
    GROUP BY o.kind`,
});

/** Seen on the way to the trader's deposit address, in no final block. It may pay other invoices of the trader. */
const seen = (tx: AnyTx, ids: Ids): Open[] =>
  tx.scope.kind === 'all'
    ? [
        {
          kind: 'deposit_final',
          count: sql`count(*)::int`,
          from: sql`incoming_transfer f WHERE f.trader_id IN (
            SELECT i.trader_id FROM invoice i WHERE i.id IN (${ids}) AND i.status = 'pending') HAVING count(*) > 0`,
        },
      ]
    : [];
