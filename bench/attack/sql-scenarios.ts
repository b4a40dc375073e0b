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
