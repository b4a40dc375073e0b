import { THIEF } from '../sql-attempts.ts';
import { ORDER, puppet, type Scenario, userOf } from './pieces.ts';

const PAYOUT = `INSERT INTO payout (community_id, distribution_id, recipient_type, recipient_address, amount_units)
  SELECT community_id, id, 'mark', '${THIEF}', 1 FROM distribution WHERE amount_units = 1 LIMIT 1`;

/** Orders. */
export const ORDERS: readonly Scenario[] = [
  {
    name: 'an order born approved by staff',
    steps: [
      `INSERT INTO distribution (community_id, state, amount_units, requested_by_id, requested_by, decided_by_id, decided_by, decided_at) SELECT id, 'approved', 1, ${userOf('super')}::text, 'x', ${userOf('staff')}::text, 'x', now() FROM community LIMIT 1`,
    ],
  },
  {
    name: 'an order approved by a puppet',
    steps: [
      ...puppet,
      `INSERT INTO distribution (community_id, state, amount_units, requested_by_id, requested_by) SELECT id, 'awaiting_approval', 1, ${userOf('super')}::text, 'x' FROM community LIMIT 1`,
      `UPDATE distribution SET state = 'approved', decided_by_id = md5('puppet')::uuid::text, decided_by = 'x', decided_at = now() WHERE state = 'awaiting_approval'`,
    ],
  },
  {
    name: 'a payout to an address of our own',
    steps: [
      ORDER,
      PAYOUT,
      `UPDATE payable y SET payout_id = o.id, recipient_address = o.recipient_address FROM payout o WHERE o.recipient_address = '${THIEF}' AND y.id = (SELECT id FROM payable WHERE payout_id IS NULL AND community_id = o.community_id LIMIT 1)`,
    ],
  },
  {
    name: 'a payout to an address that was just changed',
    steps: [
      `UPDATE provider SET payout_address = '${THIEF}'`,
      ORDER,
      PAYOUT,
      `UPDATE payable y SET payout_id = o.id, recipient_address = o.recipient_address FROM payout o WHERE o.recipient_address = '${THIEF}' AND y.id = (SELECT id FROM payable WHERE recipient_type = 'mark' AND payout_id IS NULL AND community_id = o.community_id LIMIT 1)`,
    ],
  },
  {
    name: 'the earlier address of a share',
    steps: [`UPDATE payable SET recipient_address = '${THIEF}' WHERE payout_id IS NULL`],
  },
  { name: 'the recipient of a payout', steps: [`UPDATE payout SET recipient_address = '${THIEF}'`] },
  { name: 'the amount of a payout', steps: ['UPDATE payout SET amount_units = amount_units + 1'] },
  {
    name: 'money of an arrival sent back by one person',
    steps: [
      `INSERT INTO pool_arrival_decision (arrival_id, kind, amount_units, to_address, evidence, requested_by_id, requested_by)
       SELECT id, 'sent_back', 1, '${THIEF}', 'x', ${userOf('super')}, 'x' FROM pool_arrival LIMIT 1`,
      `UPDATE pool_arrival_decision SET state = 'sending', decided_by = 'x' WHERE to_address = '${THIEF}'`,
    ],
  },
  {
    name: 'money of an arrival sent back, born decided',
    steps: [
      `INSERT INTO pool_arrival_decision (arrival_id, kind, amount_units, to_address, evidence, requested_by_id, requested_by, state, decided_by)
       SELECT id, 'sent_back', 1, '${THIEF}', 'x', ${userOf('super')}, 'x', 'sending', 'x' FROM pool_arrival LIMIT 1`,
    ],
  },
  {
    name: 'a waiting order approved by staff',
    steps: [
      `UPDATE money_order SET state = 'approved', decided_by_id = ${userOf('staff')}, decided_by = 'x', decided_at = now() WHERE state = 'awaiting_approval'`,
    ],
  },
  {
    name: 'a waiting order approved by a puppet',
    steps: [
      ...puppet,
      `UPDATE money_order SET state = 'approved', decided_by_id = md5('puppet')::uuid::text, decided_by = 'x', decided_at = now() WHERE state = 'awaiting_approval'`,
    ],
  },
  {
    name: 'a waiting order approved as if by the operator',
    steps: [
      `UPDATE money_order SET state = 'approved', decided_by_id = 'operator', decided_by = 'x', decided_at = now() WHERE state = 'awaiting_approval'`,
    ],
  },
  ...[
    [
      'of a transfer that was sent',
      'transfer',
      "(SELECT id FROM transfer WHERE state = 'sent' LIMIT 1)::text",
    ],
    ['of a withdrawal that nobody made', 'pool_withdrawal', "gen_random_uuid() || ':1'"],
    ['of something unknown', 'other', "'x'"],
  ].map(([name, type, id]) => ({
    name: `the promise ${name} ended`,
    steps: [
      `INSERT INTO ledger_reservation (account_id, amount, source_type, source_id, actor_kind, actor_id, actor_name)
       SELECT account_id, 1, '${type}', ${id}, 'system', 'ends', 'x' FROM ledger_balance WHERE posted - pending > 1 LIMIT 1`,
      `INSERT INTO ledger_reservation_end (reservation_id, actor_kind, actor_id, actor_name)
       SELECT id, 'system', 'x', 'x' FROM ledger_reservation WHERE actor_id = 'ends'`,
    ],
  })),
  {
    name: 'an order dated back',
    steps: [
      `INSERT INTO money_order (act, state, needs, amount_units, facts, requested_at, requested_by_id, requested_by) VALUES ('pool_withdrawals', 'approved', '{}', 1, '{}', 'epoch', 'x', 'x')`,
      `SELECT 1 / (SELECT count(*) FROM money_order WHERE requested_at < now() - interval '1 day')`,
    ],
  },
  ...[
    'is_archived = true',
    "status = 'cancelled'",
    "status = 'paid', settled_by = 'manual', paid_at = now()",
  ].map((set) => ({
    name: `an unpaid invoice written off without an order: ${set}`,
    steps: [
      `UPDATE invoice SET ${set} WHERE id = (SELECT id FROM invoice WHERE status = 'pending' AND NOT is_archived LIMIT 1)`,
    ],
  })),
  {
    name: 'more than the limit written off by one person',
    steps: [
      `INSERT INTO money_order (act, state, needs, amount_units, facts, requested_by_id, requested_by)
       SELECT 'invoices_archived', 'approved', '{}', sum(amount_units - paid_units), '{}', ${userOf('super')}, 'x' FROM invoice WHERE status = 'pending' AND NOT is_archived`,
      `INSERT INTO money_order_line (order_id, place, subject_id, label, amount_units)
       SELECT o.id, row_number() OVER (), i.id, 'x', i.amount_units - i.paid_units FROM money_order o, invoice i
       WHERE o.requested_at = now() AND i.status = 'pending' AND NOT i.is_archived`,
      `UPDATE invoice SET is_archived = true WHERE status = 'pending' AND NOT is_archived`,
    ],
  },
  {
    name: 'less owed for an open order with a bot, which no person ordered',
    steps: [
      `INSERT INTO invoice (trader_id, community_id, invoice_type, amount_units, payment_address, commission_rate, split, due_at)
       SELECT trader_id, community_id, 'exchange_bot', 1000, payment_address, 0, '[]', now() FROM invoice LIMIT 1`,
      "UPDATE invoice SET amount_units = 1 WHERE invoice_type = 'exchange_bot' AND amount_units = 1000",
    ],
  },
];
