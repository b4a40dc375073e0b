import type pg from 'pg';

const HASH = (letter: string) => `'0x${letter.repeat(64)}'`;
const TOKEN = `'0x${'1'.repeat(40)}'`;
const POOL = '(SELECT pooled_account_id FROM pool_member ORDER BY id LIMIT 1)';
const CYCLE = `(SELECT id FROM harvest_cycle WHERE pooled_account_id = ${POOL} LIMIT 1)`;
const MEMBER = `(SELECT id FROM pool_member WHERE pooled_account_id = ${POOL} ORDER BY id LIMIT 1)`;
const USER = `(SELECT id FROM identity."user" WHERE email = 'super@demo.example')`;

/** What the demo world has none of: one row a table in each of its first states, as workers and people would write them. */
const ROWS = [
  `INSERT INTO chain_cursor (chain_id, token_address, block_number, block_hash, stopped_because, needs_review)
   VALUES (56, ${TOKEN}, 1, ${HASH('a')}, 'x', true)`,
  `INSERT INTO chain_wallet (chain_id, role, owner_id, key_index, address, frozen_because, frozen_at)
   SELECT 56, 'community', id, 0, '0x' || repeat('2', 40), 'nonce_gap', now() FROM community WHERE id = (SELECT community_id FROM payout LIMIT 1)`,
  `INSERT INTO payment (trader_id, amount_units, open_units, source_type, source_id, received_at)
   SELECT id, 100, 50, 'deposit', 'attack', now() FROM trader LIMIT 1`,
  `INSERT INTO deposit (chain_id, token_address, transaction_hash, log_index, block_number, block_hash, from_address,
     to_address, amount_units, trader_id) SELECT 56, ${TOKEN}, ${HASH('b')}, 0, 1, ${HASH('a')}, ${TOKEN}, ${TOKEN}, 100, id FROM trader LIMIT 1`,
  `INSERT INTO invoice_payment (payment_id, invoice_id, provider_id, amount_units, received_at)
   SELECT p.id, i.id, i.provider_id, 1, now() FROM payment p, invoice i LIMIT 1`,
  ...['planned', 'sent'].map(
    (
      state,
    ) => `INSERT INTO transfer (kind, wallet_id, community_id, to_address, token_address, amount_units, state, nonce, sent_at)
     SELECT 'pool_fee', w.id, w.owner_id, ${TOKEN}, ${TOKEN}, 1, '${state}', ${state === 'sent' ? '0, now()' : 'NULL, NULL'}
     FROM chain_wallet w WHERE w.role = 'community' LIMIT 1`,
  ),
  `INSERT INTO pool_deposit (pooled_account_id, member_id, chain_id, token_address, transaction_hash, log_index, block_number,
     from_address, amount_units) SELECT ${POOL}, ${MEMBER}, 56, ${TOKEN}, ${HASH('c')}, 0, 1, ${TOKEN}, 100`,
  `INSERT INTO pool_withdrawal (pooled_account_id, member_id, amount_units, requested_by) SELECT ${POOL}, ${MEMBER}, 5, 'x'`,
  `INSERT INTO pool_withdrawal (pooled_account_id, member_id, amount_units, state, reserved_units, to_address, requested_by)
   SELECT ${POOL}, ${MEMBER}, 5, 'reserved', 5, ${TOKEN}, 'x'`,
  `INSERT INTO pool_arrival (pooled_account_id, cycle_id, chain_id, token_address, transaction_hash, log_index, block_number,
     from_address, amount_units, state) SELECT ${POOL}, ${CYCLE}, 56, ${TOKEN}, ${HASH('d')}, 0, 1, ${TOKEN}, 100, 'unexplained'`,
  `INSERT INTO pool_arrival_decision (arrival_id, kind, amount_units, to_address, evidence, requested_by_id, requested_by)
   SELECT id, 'sent_back', 5, ${TOKEN}, 'x', ${USER}, 'x' FROM pool_arrival LIMIT 1`,
  `INSERT INTO harvest_funding (cycle_id, attempt, units, to_address) SELECT ${CYCLE}, 1, 5, ${TOKEN}`,
  `INSERT INTO harvest_funding (cycle_id, attempt, units, to_address, transfer_id, state)
   SELECT ${CYCLE}, 2, 5, ${TOKEN}, id, 'sent' FROM transfer WHERE state = 'sent' LIMIT 1`,
  `INSERT INTO invoice (trader_id, community_id, amount_units, payment_address, commission_rate, split, due_at, harvest_cycle_id)
   SELECT m.trader_id, p.community_id, 100, ${TOKEN}, 0, '[]', now(), ${CYCLE}
   FROM pool_member m JOIN pooled_account p ON p.id = m.pooled_account_id WHERE m.id = ${MEMBER}`,
  `WITH valuing AS (UPDATE harvest_cycle SET status = 'processing_invoices', step = 'valuing', started_by = ${USER}::text
     WHERE id = (SELECT id FROM harvest_cycle WHERE status = 'stopped' AND ended_at IS NULL ORDER BY id LIMIT 1)
     RETURNING id, pooled_account_id)
   INSERT INTO pool_evidence (pooled_account_id, cycle_id, read_at, open_positions, open_orders, unstored_positions,
     balance_units, other_coins_units, withdrawal_fee_units, dust_units)
   SELECT pooled_account_id, id, now(), 0, 0, 0, 0, 0, 0, 0 FROM valuing`,
  `INSERT INTO ledger_reservation (account_id, amount, source_type, source_id, actor_kind, actor_id, actor_name)
   SELECT b.account_id, 1, 'payout', 'attack', 'system', 'x', 'x' FROM ledger_balance b WHERE b.posted - b.pending > 1 LIMIT 1`,
  `INSERT INTO money_order (act, state, needs, community_id, pooled_account_id, amount_units, facts, requested_by_id, requested_by)
   SELECT 'pool_withdrawals', 'awaiting_approval', '{amount}', community_id, id, 5, '{}', ${USER}, 'x' FROM pooled_account LIMIT 1`,
  `INSERT INTO money_order_line (order_id, place, subject_id, label, to_address, amount_units)
   SELECT id, 1, gen_random_uuid(), 'x', ${TOKEN}, 5 FROM money_order LIMIT 1`,
  `INSERT INTO distribution (community_id, state, amount_units, requested_by_id, requested_by)
   SELECT id, 'awaiting_approval', 1, ${USER}, 'x' FROM community LIMIT 1`,
  `INSERT INTO payout_address_change (owner_kind, owner_id, address, changed_by_id)
   SELECT 'community', id, external_wallet_address, ${USER} FROM community LIMIT 1`,
  `INSERT INTO platform_setting_change (name, previous, value, based_on, state, requested_at, requested_by_id, requested_by)
   VALUES ('payout_max_per_day', '1', '2', 0, 'waiting', now(), ${USER}, 'x')`,
  `INSERT INTO platform_setting (name, value, changed_at, changed_by) VALUES ('payout_max_per_day', '1', now(), 'x')`,
  `INSERT INTO platform_bot_reading (telegram_id, counts_from) VALUES (1, now())`,
  `INSERT INTO deposit_address (deposit_index, address)
   SELECT n, '0x' || substr(md5(n::text) || md5('d' || n), 1, 40) FROM generate_series(1, 100000) n ON CONFLICT DO NOTHING`,
  `INSERT INTO worker_heartbeat (worker_id) VALUES (gen_random_uuid())`,
  `INSERT INTO identity."user" (id, name, email, email_verified) VALUES (md5('clerk')::uuid, 'Clerk', 'clerk@work.example', true)`,
  `INSERT INTO identity.user_access (user_id, admin, accepted_at) VALUES (md5('clerk')::uuid, true, now())`,
  `INSERT INTO identity.user_sponsor (user_id, sponsor_id, act, at) VALUES (md5('clerk')::uuid, ${USER}, 'invited', now())`,
];

/** Adds them, as the owner. @returns those that the schema refuses: the list above is out of date */
export async function fillWorld(owner: pg.Client): Promise<string[]> {
  const refused: string[] = [];
  for (const statement of ROWS)
    await owner.query(statement).catch((error: Error) => {
      refused.push(`${statement.slice(0, 60).replaceAll(/\s+/g, ' ')}: ${error.message}`);
    });
  return refused;
}
