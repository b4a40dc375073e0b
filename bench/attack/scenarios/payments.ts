import { type Scenario, userOf } from './pieces.ts';

const takePayments = (given: string) =>
  `SELECT app.take_payments(${given}) FROM (SELECT * FROM payment WHERE open_units > 0 ORDER BY id LIMIT 1) p`;
/** An open invoice of the trader with a payment. */
const ownInvoice = `INSERT INTO invoice (trader_id, community_id, invoice_type, amount_units, payment_address, commission_rate, split, due_at)
  SELECT p.trader_id, i.community_id, 'regular', 1000, i.payment_address, 0, '[]', now() FROM payment p, invoice i
  WHERE p.open_units > 0 ORDER BY p.id LIMIT 1`;
const ofOwnInvoice =
  "(SELECT i.id FROM invoice i WHERE i.trader_id = p.trader_id AND i.amount_units = 1000 AND i.status = 'pending')";
/** The richest member, and another. */
const ANOTHER_MEMBER =
  "INSERT INTO ledger_account (kind, owner_id, asset) VALUES ('pool_capital', gen_random_uuid(), 'USDT')";
const BETWEEN_MEMBERS = `SELECT a.id, CASE row_number() OVER (ORDER BY b.posted DESC) WHEN 1 THEN 1 ELSE -1 END
  FROM ledger_account a JOIN ledger_balance b ON b.account_id = a.id WHERE a.kind = 'pool_capital' ORDER BY b.posted DESC LIMIT 2`;
const INVOICE_ACCOUNTS = `INSERT INTO ledger_account (kind, owner_id, asset)
  SELECT k, id, 'USDT' FROM (SELECT id FROM invoice ORDER BY id LIMIT 1) i, unnest(ARRAY['billed', 'receivable']) k`;
const OF_INVOICE = `SELECT a.id, a.side FROM ledger_account a WHERE a.owner_id = (SELECT id FROM invoice ORDER BY id LIMIT 1)
  AND a.kind IN ('billed', 'receivable')`;
/** @param postings ids of accounts, and amounts */
const journalOf = ([kind, source]: [string, string], postings: string) => [
  `INSERT INTO journal (kind, source_type, source_id, actor_kind, actor_id, actor_name)
   VALUES ('${kind}', '${source}', 'attack', 'system', 'x', 'x')`,
  `INSERT INTO posting (journal_id, account_id, asset, amount)
   SELECT j.id, n.id, 'USDT', n.amount FROM journal j, (${postings}) n (id, amount) WHERE j.source_id = 'attack'`,
];

/** Payments, pools and the ledger. */
export const PAYMENTS: readonly Scenario[] = [
  // Payments. The world has one of a trader, with a half of it left.
  ...[
    'paid_units = paid_units + 1',
    "paid_units = amount_units, status = 'paid', settled_by = 'chain', paid_at = now()",
    "status = 'paid', settled_by = 'pool', paid_at = now()",
  ].map((set) => ({
    name: `an invoice paid by nobody: ${set}`,
    steps: [
      `UPDATE invoice SET ${set} WHERE id = (SELECT id FROM invoice WHERE status = 'pending' ORDER BY harvest_cycle_id LIMIT 1)`,
    ],
  })),
  ...['100', 'amount_units - 1'].map((paid) => ({
    name: `an invoice born paid: ${paid}`,
    steps: [
      `INSERT INTO invoice (trader_id, community_id, invoice_type, amount_units, paid_units, payment_address, commission_rate, split, due_at)
       SELECT trader_id, community_id, invoice_type, amount_units, ${paid}, payment_address, commission_rate, split, due_at
       FROM invoice WHERE status = 'pending' LIMIT 1`,
    ],
  })),
  {
    name: 'a payment without a deposit',
    steps: [
      `INSERT INTO payment (trader_id, amount_units, open_units, source_type, source_id, received_at)
       SELECT trader_id, amount_units, amount_units, 'x', 'x', now() FROM invoice WHERE status = 'pending' LIMIT 1`,
    ],
  },
  {
    name: 'a part of a payment that is taken by hand',
    steps: [
      ownInvoice,
      `INSERT INTO invoice_payment (payment_id, invoice_id, amount_units, received_at)
       SELECT p.id, ${ofOwnInvoice}, 1, now() FROM payment p WHERE p.open_units > 0 ORDER BY p.id LIMIT 1`,
    ],
  },
  ...[
    'SELECT app.order_credit_return(56, o.id::text, gen_random_uuid(), o.id) FROM money_order o',
    `INSERT INTO credit_return (transfer_id, payment_id, order_id, amount_units)
     SELECT t.id, p.id, o.id, p.open_units FROM transfer t, payment p, money_order o WHERE p.open_units > 0 LIMIT 1`,
    "UPDATE credit_return SET state = 'undone', ended_at = now()",
  ].map((step) => ({
    name: `credit that is sent back without an order: ${step.slice(0, 20)}`,
    steps: [step],
  })),
  { name: 'a payment that is taken twice', steps: ['UPDATE payment SET open_units = amount_units'] },
  {
    name: 'a payment taken for an invoice of another trader',
    steps: [
      takePayments(
        "ARRAY[p.id], ARRAY[(SELECT i.id FROM invoice i WHERE i.trader_id <> p.trader_id AND i.status = 'pending' LIMIT 1)], ARRAY[1]",
      ),
    ],
  },
  {
    name: 'more taken than is left of a payment',
    steps: [ownInvoice, takePayments(`ARRAY[p.id], ARRAY[${ofOwnInvoice}], ARRAY[p.open_units + 1]`)],
  },
  {
    name: 'less than nothing taken from a payment',
    steps: [ownInvoice, takePayments(`ARRAY[p.id], ARRAY[${ofOwnInvoice}], ARRAY[-1]`)],
  },
  {
    name: 'half a unit taken from a payment',
    steps: [ownInvoice, takePayments(`ARRAY[p.id], ARRAY[${ofOwnInvoice}], ARRAY[0.5]`)],
  },
  {
    name: 'invoices paid beside the one that a payment is taken for',
    steps: [
      ownInvoice,
      takePayments(
        `ARRAY[p.id], ARRAY[${ofOwnInvoice}, (SELECT max(id::text)::uuid FROM invoice)], ARRAY[1, 5]`,
      ),
    ],
  },
  // Pools
  ...[
    'result_units = 1, valued_returned_units = 1, valued_exchange_units = 1, valued_lost_units = 1, valued_unexplained_units = 1, valued_uncovered_units = 1',
    'start_balance_units = 1',
    'frozen_capital_units = 1',
    'fee_transfer_id = (SELECT id FROM transfer LIMIT 1)',
    'cycle_number = cycle_number + 1',
    'ended_at = now()',
    "status = 'processing_invoices', step = 'valuing', version = version + 1",
    "status = 'processing_invoices', step = 'opening', version = version + 1",
    "status = 'stopped', step = 'trading', version = version + 1",
    "started_by = 'x'",
    "step_since = now() - interval '1 hour'",
  ].map((set) => ({
    name: `an open cycle with ${set}`,
    steps: [`UPDATE harvest_cycle SET ${set} WHERE status = 'harvesting' AND ended_at IS NULL`],
  })),
  {
    name: 'a stop that freezes another sum',
    steps: [
      `UPDATE harvest_cycle SET status = 'stopping_harvesting', step = 'planning', version = version + 1, frozen_capital_units = 1 WHERE status = 'harvesting'`,
      'SELECT 1 / (SELECT count(*) FROM harvest_cycle WHERE frozen_capital_units = 1)',
    ],
  },
  {
    name: 'another sum frozen after the stop',
    steps: [
      `UPDATE harvest_cycle SET status = 'stopping_harvesting', step = 'planning', version = version + 1 WHERE status = 'harvesting'`,
      `UPDATE harvest_cycle SET frozen_capital_units = frozen_capital_units + 1 WHERE status = 'stopping_harvesting'`,
    ],
  },
  {
    name: 'a cycle that follows a called-off one',
    steps: [
      `UPDATE harvest_cycle SET ended_at = now() WHERE status = 'stopped' AND ended_at IS NULL`,
      `INSERT INTO harvest_cycle (pooled_account_id, cycle_number) SELECT pooled_account_id, cycle_number + 1 FROM harvest_cycle WHERE ended_at = now()`,
    ],
  },
  ...[`${userOf('super')}::text`, `${userOf('staff')}::text`, 'NULL'].map((by) => ({
    name: `a valuation approved by ${by}`,
    steps: [
      `UPDATE harvest_cycle SET approved_evidence_id = (SELECT e.id FROM pool_evidence e WHERE e.cycle_id = harvest_cycle.id LIMIT 1), approved_result_units = 1, approved_by_id = ${by} WHERE step = 'valuing'`,
    ],
  })),
  {
    name: 'the part of a member in a result',
    steps: ['UPDATE harvest_allocation SET fee_units = 0, capital_after_units = 0, booked_at = now()'],
  },
  {
    name: 'a part of a result for a member',
    steps: [
      `INSERT INTO harvest_allocation (cycle_id, member_id, place, share_units, allocated_units, winners_units)
       SELECT h.id, m.id, 1000000, 1, 1, 0 FROM harvest_cycle h JOIN pool_member m USING (pooled_account_id)
       WHERE NOT EXISTS (SELECT FROM harvest_allocation a WHERE a.cycle_id = h.id AND a.member_id = m.id) LIMIT 1`,
    ],
  },
  {
    name: 'a funding said to be credited',
    steps: ['UPDATE harvest_funding SET credited_units = units'],
  },
  {
    name: 'a funding given up by nobody',
    steps: ["UPDATE harvest_funding SET state = 'lost' WHERE transfer_id IS NOT NULL AND credited_units = 0"],
  },
  // The ledger
  ...['pool_valued', 'pool_lost', 'pool_unexplained_resolved', 'invoice_paid'].map((kind) => ({
    name: `capital of one member booked for another as ${kind}`,
    steps: [ANOTHER_MEMBER, ...journalOf([kind, 'harvest_cycle'], BETWEEN_MEMBERS)],
  })),
  {
    name: 'the opening of an imported invoice',
    steps: [INVOICE_ACCOUNTS, ...journalOf(['invoice_paid', 'opening'], OF_INVOICE)],
  },
];
