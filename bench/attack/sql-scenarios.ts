import { THIEF } from './sql-attempts.ts';

/** Statements of one transaction that together would reach something that takes another person. */
export interface Scenario {
  name: string;
  /** Each has to change a row. Users: `super` and `super-2` are confirmed, `staff` is no super admin. */
  steps: string[];
}

const userOf = (persona: string) =>
  `(SELECT id FROM identity."user" WHERE email = '${persona}@demo.example')`;
const change = (
  name: string,
  { previous, value, state = 'applied', by = 'NULL', basedOn = '' }: Record<string, string>,
) =>
  `INSERT INTO platform_setting_change (name, previous, value, based_on, state, requested_at, requested_by_id, requested_by
      ${by === 'NULL' ? '' : ', decided_at, decided_by_id, decided_by'})
    SELECT '${name}', '${previous}', '${value}', ${basedOn || `coalesce((SELECT version FROM platform_setting WHERE name = '${name}'), 0)`},
      '${state}', now(), ${userOf('super')}::text, 'x' ${by === 'NULL' ? '' : `, now(), ${by}::text, 'x'`}`;
const save = (name: string, value: string) =>
  `INSERT INTO platform_setting (name, value, changed_at, changed_by) VALUES ('${name}', '${value}', now(), 'x')
   ON CONFLICT (name) DO UPDATE SET value = excluded.value, version = platform_setting.version + 1`;
const HOLD = 'payout_address_hold_hours';
const TRADER = '(SELECT id FROM trader ORDER BY id LIMIT 1)';
const newUser = (name: string) =>
  `INSERT INTO identity."user" (id, name, email, email_verified) VALUES (md5('${name}')::uuid, '${name}', '${name}@thief.example', true)`;
const access = (name: string, columns = '', values = '') =>
  `INSERT INTO identity.user_access (user_id, admin, super, super_since, accepted_at ${columns})
   VALUES (md5('${name}')::uuid, true, true, now() - interval '1 year', now() ${values})`;
const sponsor = (name: string, by: string) =>
  `INSERT INTO identity.user_sponsor (user_id, sponsor_id, act, at) VALUES (md5('${name}')::uuid, ${by}, 'invited', now())`;
const puppet = [newUser('puppet'), access('puppet'), sponsor('puppet', userOf('super'))];

const ORDER = `INSERT INTO distribution (community_id, state, amount_units, requested_by_id, requested_by)
  SELECT community_id, 'approved', 1, ${userOf('super')}::text, 'x' FROM payable WHERE payout_id IS NULL AND recipient_type = 'mark' LIMIT 1`;
const PAYOUT = `INSERT INTO payout (community_id, distribution_id, recipient_type, recipient_address, amount_units)
  SELECT community_id, id, 'mark', '${THIEF}', 1 FROM distribution WHERE amount_units = 1 LIMIT 1`;

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

/** Every one of them is refused. */
export const SCENARIOS: readonly Scenario[] = [
  // Limits
  { name: 'a setting without a change', steps: [save('payout_max_per_day', '1000000')] },
  {
    name: 'a setting that is removed',
    steps: [
      change(HOLD, { previous: '24', value: '48' }),
      save(HOLD, '48'),
      `UPDATE platform_setting SET value = NULL, version = version + 1 WHERE name = '${HOLD}'`,
    ],
  },
  {
    name: 'a hold shortened without another person',
    steps: [change(HOLD, { previous: '24', value: '0' }), save(HOLD, '0')],
  },
  {
    name: 'a hold shortened as if it were longer before',
    steps: [
      change(HOLD, { previous: '24', value: '48' }),
      save(HOLD, '48'),
      change(HOLD, { previous: '0', value: '1' }),
      save(HOLD, '1'),
    ],
  },
  {
    name: 'a hold shortened by its author',
    steps: [
      change(HOLD, { previous: '24', value: '0', state: 'waiting' }),
      `UPDATE platform_setting_change SET state = 'applied', decided_at = now(), decided_by_id = requested_by_id, decided_by = 'x' WHERE state = 'waiting' AND name = '${HOLD}'`,
      save(HOLD, '0'),
    ],
  },
  {
    name: 'a hold shortened by staff',
    steps: [
      change(HOLD, { previous: '24', value: '0', state: 'waiting' }),
      `UPDATE platform_setting_change SET state = 'applied', decided_at = now(), decided_by_id = ${userOf('staff')}, decided_by = 'x' WHERE state = 'waiting' AND name = '${HOLD}'`,
      save(HOLD, '0'),
    ],
  },
  {
    name: 'a hold shortened by a puppet',
    steps: [
      ...puppet,
      change(HOLD, { previous: '24', value: '0', state: 'waiting' }),
      `UPDATE platform_setting_change SET state = 'applied', decided_at = now(), decided_by_id = md5('puppet')::uuid::text, decided_by = 'x' WHERE state = 'waiting' AND name = '${HOLD}'`,
      save(HOLD, '0'),
    ],
  },
  {
    name: 'a change that is born approved',
    steps: [change(HOLD, { previous: '24', value: '0', by: userOf('super-2') }), save(HOLD, '0')],
  },
  {
    name: 'an earlier decision used again',
    steps: [
      change(HOLD, { previous: '24', value: '30' }),
      save(HOLD, '30'),
      change(HOLD, { previous: '30', value: '60' }),
      save(HOLD, '60'),
      save(HOLD, '30'),
    ],
  },
  {
    name: 'a decision for a later version',
    steps: [
      change(HOLD, { previous: '24', value: '30', basedOn: '1' }),
      change(HOLD, { previous: '24', value: '60' }),
      save(HOLD, '60'),
      save(HOLD, '30'),
    ],
  },
  {
    name: 'another value than was decided',
    steps: [change(HOLD, { previous: '24', value: '48' }), save(HOLD, '0')],
  },
  {
    name: 'a decided change decided again',
    steps: [
      change(HOLD, { previous: '24', value: '48' }),
      `UPDATE platform_setting_change SET state = 'waiting' WHERE state = 'applied'`,
    ],
  },
  {
    name: 'a default that the API notes',
    steps: [`INSERT INTO platform_setting_default VALUES ('${HOLD}', '0', now())`],
  },
  // Addresses
  {
    name: 'a hold of an address ended by nobody',
    steps: [
      `UPDATE community SET external_wallet_address = '${THIEF}'`,
      `UPDATE payout_address_change SET released_at = now(), released_by_id = 'nobody', released_by = 'x'`,
    ],
  },
  {
    name: 'a hold ended by staff',
    steps: [
      `UPDATE community SET external_wallet_address = '${THIEF}'`,
      `UPDATE payout_address_change SET released_at = now(), released_by_id = ${userOf('staff')}, released_by = 'x'`,
    ],
  },
  {
    name: 'a hold ended by a puppet',
    steps: [
      ...puppet,
      `UPDATE community SET external_wallet_address = '${THIEF}'`,
      `UPDATE payout_address_change SET released_at = now(), released_by_id = md5('puppet')::uuid::text, released_by = 'x'`,
    ],
  },
  {
    name: 'a hold dated back',
    steps: [
      `UPDATE community SET external_wallet_address = '${THIEF}'`,
      `UPDATE payout_address_change SET changed_at = 'epoch'`,
    ],
  },
  {
    name: 'a hold of another owner',
    steps: [
      `UPDATE community SET external_wallet_address = '${THIEF}'`,
      `UPDATE payout_address_change SET owner_kind = 'provider'`,
    ],
  },
  {
    name: 'a hold deleted',
    steps: [`UPDATE community SET external_wallet_address = '${THIEF}'`, 'DELETE FROM payout_address_change'],
  },
  {
    name: 'an address changed without a hold',
    steps: [
      `UPDATE provider SET payout_address = '${THIEF}' WHERE payout_address IS NOT NULL`,
      `SELECT 1 / (SELECT count(*) FROM provider p WHERE p.payout_address = '${THIEF}' AND NOT EXISTS (SELECT FROM payout_address_change c WHERE c.owner_id = p.id::text AND c.released_at IS NULL AND c.changed_at > now() - interval '1 minute'))`,
    ],
  },
  {
    name: 'an address of a trader changed without a hold',
    steps: [
      `UPDATE trader SET external_wallet_address = '${THIEF}' WHERE id = (SELECT id FROM trader LIMIT 1)`,
      `SELECT 1 / (SELECT count(*) FROM trader t WHERE t.external_wallet_address = '${THIEF}' AND NOT EXISTS (SELECT FROM payout_address_change c WHERE c.owner_id = t.id::text AND c.released_at IS NULL AND c.changed_at > now() - interval '1 minute'))`,
    ],
  },
  {
    name: 'a referrer set without a hold',
    steps: [
      `UPDATE trader SET referred_by_trader_id = (SELECT max(id::text)::uuid FROM trader) WHERE id = (SELECT min(id::text)::uuid FROM trader)`,
      `SELECT 1 / (SELECT count(*) FROM trader t WHERE t.id = (SELECT min(id::text)::uuid FROM trader) AND NOT EXISTS (SELECT FROM payout_address_change c WHERE c.owner_kind = 'trader_referrer' AND c.owner_id = t.id::text AND c.address = t.referred_by_trader_id::text AND c.released_at IS NULL))`,
    ],
  },
  {
    name: 'an address of a trader released in the name of its owner',
    steps: [
      `UPDATE trader SET external_wallet_address = '${THIEF}' WHERE id = ${TRADER}`,
      `UPDATE payout_address_change SET released_at = now(), released_by_id = 'owner', released_by = 'x' WHERE owner_id = ${TRADER}::text`,
    ],
  },
  {
    name: 'a word of an owner',
    steps: [
      `UPDATE trader SET external_wallet_address = '${THIEF}' WHERE id = ${TRADER}`,
      `INSERT INTO payout_address_word (change_id, kind, trader_id, address, bot_telegram_id, update_id, telegram_user_id)
       SELECT c.id, 'confirmed', t.id, c.address, r.telegram_id, 1, t.telegram_user_id::bigint
       FROM payout_address_change c JOIN trader t ON t.id::text = c.owner_id, platform_bot_reading r WHERE t.id = ${TRADER}`,
    ],
  },
  {
    name: 'a Telegram id that counts at once',
    steps: [
      `UPDATE trader SET telegram_user_id = '4711', telegram_set_at = 'epoch' WHERE id = ${TRADER}`,
      `SELECT 1 / (SELECT count(*) FROM trader t WHERE t.id = ${TRADER} AND app.telegram_counts(t.telegram_user_id, t.telegram_set_at))`,
    ],
  },
  {
    name: 'a Telegram id that counts afterwards',
    steps: [
      `UPDATE trader SET telegram_user_id = '4711' WHERE id = ${TRADER}`,
      `UPDATE trader SET telegram_set_at = 'epoch' WHERE id = ${TRADER}`,
    ],
  },
  {
    name: 'a bot of our own whose words count',
    steps: [`UPDATE platform_bot_reading SET telegram_id = 4711, counts_from = 'epoch'`],
  },
  {
    name: 'a funding address without its wait',
    steps: [
      `UPDATE pooled_account SET bybit_deposit_address = '${THIEF}', bybit_deposit_address_from = 'epoch' WHERE bybit_deposit_address IS NOT NULL`,
      `SELECT 1 / (SELECT count(*) FROM pooled_account WHERE bybit_deposit_address = '${THIEF}' AND bybit_deposit_address_from < now() + interval '23 hours')`,
    ],
  },
  {
    name: 'a funding address by way of none',
    steps: [
      'UPDATE pooled_account SET bybit_deposit_address = NULL, bybit_deposit_address_from = NULL WHERE bybit_deposit_address IS NOT NULL',
      `UPDATE pooled_account SET bybit_deposit_address = '${THIEF}', bybit_deposit_address_from = 'epoch' WHERE bybit_deposit_address IS NULL`,
    ],
  },
  {
    name: 'a wait of a funding address shortened afterwards',
    steps: [
      `UPDATE pooled_account SET bybit_deposit_address = '${THIEF}', bybit_deposit_address_from = now() + interval '2 days' WHERE bybit_deposit_address IS NOT NULL`,
      `UPDATE pooled_account SET bybit_deposit_address_from = 'epoch' WHERE bybit_deposit_address = '${THIEF}'`,
      `SELECT 1 / (SELECT count(*) FROM pooled_account WHERE bybit_deposit_address = '${THIEF}' AND bybit_deposit_address_from < now() + interval '1 day')`,
    ],
  },
  // Orders
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
  // Addresses that people are shown. The world has addresses that workers derived.
  ...[`'${THIEF}'`, 'NULL', '(SELECT max(d.address) FROM deposit_address d)'].map((address) => ({
    name: `the deposit address of a trader changed to ${address}`,
    steps: [
      `UPDATE trader SET deposit_address = ${address} WHERE deposit_address IS NOT NULL AND deposit_index = 1`,
    ],
  })),
  ...[`'${THIEF}'`, '(SELECT max(d.address) FROM deposit_address d)'].map((address) => ({
    name: `another first deposit address, ${address}`,
    steps: [
      "INSERT INTO trader (community_id, referral_code) SELECT id, 'attack' FROM community LIMIT 1",
      `UPDATE trader SET deposit_address = ${address} WHERE referral_code = 'attack'`,
    ],
  })),
  {
    name: 'a trader with an address of our own',
    steps: [
      `INSERT INTO trader (community_id, referral_code, deposit_address) SELECT id, 'attack', '${THIEF}' FROM community LIMIT 1`,
    ],
  },
  {
    name: 'the index of a trader',
    steps: ['UPDATE trader SET deposit_index = DEFAULT WHERE deposit_index = 1'],
  },
  { name: 'a derived address', steps: [`INSERT INTO deposit_address VALUES (1000000, '${THIEF}')`] },
  { name: 'another derived address', steps: [`UPDATE deposit_address SET address = '${THIEF}'`] },
  {
    name: 'the wallet of a community',
    steps: [`UPDATE community SET internal_wallet_address = '${THIEF}' WHERE internal_wallet_index = 1`],
  },
  {
    name: 'a community with a wallet',
    steps: [`INSERT INTO community (name, internal_wallet_address) VALUES ('attack', '${THIEF}')`],
  },
  { name: 'the proxy wallet of a pool', steps: [`UPDATE pooled_account SET proxy_address = '${THIEF}'`] },
  {
    name: 'a member of a pool with an address',
    steps: [
      `INSERT INTO pool_member (pooled_account_id, trader_id, deposit_address)
       SELECT p.id, t.id, '${THIEF}' FROM pooled_account p, trader t
       WHERE NOT EXISTS (SELECT FROM pool_member m WHERE m.trader_id = t.id) LIMIT 1`,
    ],
  },
  { name: 'the address of a member', steps: [`UPDATE pool_member SET deposit_address = '${THIEF}'`] },
  {
    name: 'an invoice that is paid to another address',
    steps: [
      `INSERT INTO invoice (trader_id, community_id, amount_units, payment_address, commission_rate, split, due_at)
       SELECT trader_id, community_id, 1, '${THIEF}', 0, '[]', now() FROM invoice LIMIT 1`,
    ],
  },
  ...[THIEF, THIEF.toUpperCase().replace('X', 'x')].map((address) => ({
    name: `a message with the address ${address}`,
    steps: [
      `INSERT INTO message (trader_id, kind, language, text, dedupe_key, requested_by)
       SELECT id, 'invoice_created', 'en', 'Pay to <code>${address}</code>', 'attack', 'x' FROM trader LIMIT 1`,
    ],
  })),
  // People
  { name: 'a super admin without a sponsor', steps: [newUser('alone'), access('alone')] },
  {
    name: 'a super admin sponsored by staff',
    steps: [newUser('alone'), access('alone'), sponsor('alone', userOf('staff'))],
  },
  {
    name: 'a super admin as of a hosted service that is not in use',
    steps: [
      newUser('alone'),
      access('alone'),
      `INSERT INTO identity.hosted_user (hosted_id, user_id) VALUES ('user_x', md5('alone')::uuid)`,
    ],
  },
  {
    name: 'staff made super admin without a sponsor',
    steps: [
      newUser('clerk'),
      `INSERT INTO identity.user_access (user_id, admin, accepted_at) VALUES (md5('clerk')::uuid, true, now())`,
      `UPDATE identity.user_access SET super = true, super_since = now() WHERE user_id = md5('clerk')::uuid`,
    ],
  },
  {
    name: 'a super admin confirmed by nobody',
    steps: [
      ...puppet,
      `UPDATE identity.user_access SET confirmed_at = now() WHERE user_id = md5('puppet')::uuid`,
    ],
  },
  {
    name: 'a super admin confirmed by its sponsor',
    steps: [
      ...puppet,
      `UPDATE identity.user_access SET confirmed_at = now(), confirmed_by_id = ${userOf('super')} WHERE user_id = md5('puppet')::uuid`,
    ],
  },
  {
    name: 'a super admin born confirmed',
    steps: [
      newUser('puppet'),
      access('puppet', ', confirmed_at, confirmed_by_id', `, now(), ${userOf('super-2')}`),
      sponsor('puppet', userOf('super')),
      `SELECT 1 / (SELECT count(*) FROM identity.user_access WHERE user_id = md5('puppet')::uuid AND confirmed_at IS NOT NULL)`,
    ],
  },
  {
    name: 'a super admin of a year at once',
    steps: [
      ...puppet,
      `UPDATE identity.user_access SET super_since = now() - interval '1 year' WHERE user_id = md5('puppet')::uuid`,
      `SELECT 1 / (SELECT count(*) FROM identity.user_access WHERE user_id = md5('puppet')::uuid AND super_since < now() - interval '1 minute')`,
    ],
  },
  {
    name: 'a disabled super admin who comes back confirmed',
    steps: [
      ...puppet,
      `UPDATE identity.user_access SET confirmed_at = now(), confirmed_by_id = ${userOf('super-2')} WHERE user_id = md5('puppet')::uuid`,
      `UPDATE identity.user_access SET disabled_at = now() WHERE user_id = md5('puppet')::uuid`,
      `UPDATE identity.user_access SET disabled_at = NULL WHERE user_id = md5('puppet')::uuid`,
      `SELECT 1 / (SELECT count(*) FROM identity.user_access WHERE user_id = md5('puppet')::uuid AND confirmed_at IS NOT NULL)`,
    ],
  },
  {
    name: 'access moved to another user',
    steps: [
      newUser('alone'),
      `UPDATE identity.user_access SET user_id = md5('alone')::uuid WHERE user_id = ${userOf('super-2')}`,
    ],
  },
  { name: 'a sponsor washed away', steps: [...puppet, `DELETE FROM identity.user_sponsor`] },
  {
    name: 'another sponsor put in place',
    steps: [...puppet, `UPDATE identity.user_sponsor SET sponsor_id = ${userOf('super-2')}`],
  },
  {
    name: 'a set-up after everyone is disabled',
    steps: [
      'UPDATE identity.user_access SET disabled_at = now() WHERE super',
      newUser('alone'),
      access('alone', ', confirmed_at', ', now()'),
    ],
  },
  {
    name: 'a set-up after everyone is invited again',
    steps: ['UPDATE identity.user_access SET accepted_at = NULL WHERE super'],
  },
  // Workers
  { name: 'the role of a worker', steps: ['SET LOCAL ROLE copydesk_worker', 'SELECT 1'] },
  {
    name: 'the mark of bulk loading',
    steps: [`SELECT set_config('copydesk.bulk', 'on', true)`, 'SELECT 1 WHERE app.bulk_loading()'],
  },
  { name: 'triggers off', steps: [`SET LOCAL session_replication_role = 'replica'`, 'SELECT 1'] },
  { name: 'row-level security off', steps: ['ALTER TABLE transfer DISABLE ROW LEVEL SECURITY', 'SELECT 1'] },
  {
    name: 'a job for a worker',
    steps: [`INSERT INTO pgboss.job (name, data) SELECT name, '{}' FROM pgboss.queue LIMIT 1`],
  },
  {
    name: 'a trigger of our own on the queue',
    steps: [
      'CREATE TRIGGER t BEFORE INSERT ON pgboss.queue FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()',
      'SELECT 1',
    ],
  },
  {
    name: 'a function of our own',
    steps: [`CREATE FUNCTION public.f() RETURNS int LANGUAGE sql AS 'SELECT 1'`, 'SELECT 1'],
  },
  { name: 'a schema of our own', steps: ['CREATE SCHEMA ours', 'SELECT 1'] },
  { name: 'a file of the server', steps: [`COPY (SELECT 1) TO '/tmp/copydesk-attack'`] },
  { name: 'a program of the server', steps: [`COPY (SELECT 1) TO PROGRAM 'true'`] },
];
