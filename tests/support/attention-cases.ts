import type { AttentionItem } from '@copydesk/contract/attention';
import { ATTENTION_KINDS, type AttentionKind } from '@copydesk/domain/attention';
import { expect } from 'vitest';
import { asOwner } from './owner.ts';
import { addPool } from './world/pools.ts';
import { ownerOf } from './world/rows.ts';

/** Of the demo world: a trader, a provider and an account of the staff, and a community. */
export interface AttentionWorld {
  trader: string;
  provider: string;
  account: string;
  community: string;
}

/**
 * `setup_left` is about the whole installation, and `note_mention` is one person's own: `setup-checklist.test.ts` and
 * `notes.test.ts` have them.
 */
type CaseKind = Exclude<AttentionKind, 'setup_left' | 'note_mention'>;
export const CASE_KINDS = ATTENTION_KINDS.filter(
  (kind): kind is CaseKind => kind !== 'setup_left' && kind !== 'note_mention',
);

interface AttentionCase {
  begin: () => Promise<unknown>;
  end: () => Promise<unknown>;
  shows: Partial<AttentionItem & { tab: string }>;
  /** Whether the staff of its provider sees it too. */
  ofStaff?: true;
}
const HASH = (letter: string) => `0x${letter.repeat(64)}`;
const ADDRESS = `0x${'a1'.repeat(20)}`;

/** How each kind of item that needs a person begins and ends, and what the list then says. */
export function attentionCases(
  ownerUrl: string,
  world: AttentionWorld,
): { readonly [K in CaseKind]: AttentionCase } {
  const owner = (text: string, values: unknown[] = []) => asOwner(ownerUrl, text, values);
  /** Two payouts that needed no second person: one waits for two hours, one is in its usual time. */
  const orderPayouts = () =>
    owner(
      `WITH made AS (INSERT INTO distribution (community_id, state, amount_units, requested_by_id, requested_by)
         VALUES ($1, 'approved', 5e18, 'someone', 'Someone') RETURNING id)
       INSERT INTO payout (community_id, status, recipient_type, recipient_address, amount_units, distribution_id, ordered_at,
         ordered_by_id)
       SELECT $1, 'pending', 'tip', $2, p.units * 1e18, made.id, now() - p.age, 'someone'
       FROM made, (VALUES (3, interval '2 hours'), (2, interval '5 minutes')) AS p(units, age)`,
      [world.community, ADDRESS],
    );

  /** One invoice of the trader is owed since then, 40 USDT. */
  async function overdue(due: string) {
    await owner(
      `INSERT INTO invoice (id, trader_id, community_id, provider_id, exchange, amount_units, payment_address,
         commission_rate, split, due_at)
       SELECT '00000000-0000-7000-8000-000000000001', i.trader_id, i.community_id, i.provider_id, i.exchange, 40e18,
         i.payment_address, i.commission_rate, i.split, ${due}
       FROM invoice i WHERE i.trader_id = $1 AND i.provider_id = $2 LIMIT 1
       ON CONFLICT (id) DO UPDATE SET due_at = excluded.due_at`,
      [world.trader, world.provider],
    );
  }

  const cases: { readonly [K in CaseKind]: AttentionCase } = {
    payments_stopped: {
      begin: () =>
        owner(`INSERT INTO transfer_stop (reason, origin, stopped_by_id, stopped_by)
          VALUES ('A test', 'console', 'someone', 'Someone')`),
      end: () =>
        owner(`UPDATE transfer_stop SET lifted_at = clock_timestamp(), lifted_by_id = 'x', lifted_by = 'X',
          lift_reason = 'over', lift_origin = 'command' WHERE lifted_at IS NULL`),
      shows: { code: 'console', title: null, turn: 'you' },
    },
    wallet_frozen: {
      begin: () =>
        owner(
          `INSERT INTO chain_wallet (chain_id, role, owner_id, key_index, address, frozen_because, frozen_at)
           VALUES (99, 'community', $1, 7, $2, 'nonce_gap', now())
           ON CONFLICT (chain_id, role, owner_id) DO UPDATE SET frozen_because = 'nonce_gap', frozen_at = now()`,
          [world.community, ADDRESS],
        ),
      end: () => owner('UPDATE chain_wallet SET frozen_because = NULL, frozen_at = NULL WHERE chain_id = 99'),
      shows: { code: 'nonce_gap', turn: 'you' },
    },
    payouts_failed: {
      begin: () =>
        owner(
          `INSERT INTO payout (community_id, status, recipient_type, recipient_address, amount_units, problem)
           VALUES ($1, 'failed', 'tip', $2, 3e18, 'reverted'), ($1, 'failed', 'tip', $2, 4.5e18, 'reverted')`,
          [world.community, ADDRESS],
        ),
      end: () => owner(`UPDATE payout SET problem = 'sent_again' WHERE status = 'failed'`),
      shows: { code: 'reverted', turn: 'you' },
    },
    payouts_stuck: {
      begin: orderPayouts,
      // In its usual time it is nothing to look at.
      end: () => owner(`UPDATE payout SET ordered_at = now() WHERE ordered_by_id = 'someone'`),
      shows: { code: null, count: 1, amount: '3', turn: 'you' },
    },
    gas_low: {
      begin: () =>
        owner(`INSERT INTO transfer_heartbeat (chain_id, looked_at, gas_wei, gas_read_at)
          VALUES (99, now() + interval '1 minute', 0, now())`),
      end: () => owner('UPDATE transfer_heartbeat SET gas_wei = 1e18 WHERE chain_id = 99'),
      shows: { code: 'none', turn: 'you' },
    },
    distribution_waiting: {
      begin: () =>
        owner(
          `INSERT INTO distribution (community_id, state, amount_units, requested_by_id, requested_by)
           VALUES ($1, 'awaiting_approval', 5e18, 'someone', 'Someone')`,
          [world.community],
        ),
      end: () => owner(`DELETE FROM distribution WHERE state = 'awaiting_approval'`),
      shows: { amount: '5', turn: 'you' },
    },
    order_waiting: {
      begin: () =>
        owner(
          `INSERT INTO money_order (act, state, needs, community_id, amount_units, facts, requested_by_id, requested_by)
           VALUES ('credit_tipped', 'awaiting_approval', '{above_limit}', $1, 7e18, '{}', 'someone', 'Someone')`,
          [world.community],
        ),
      end: () =>
        owner(`UPDATE money_order SET state = 'declined', decided_at = now(), decided_by_id = 'x', decided_by = 'X'
          WHERE state = 'awaiting_approval'`),
      shows: { code: 'credit_tipped', amount: '7', turn: 'you' },
    },
    address_waiting: {
      begin: () =>
        owner(
          `INSERT INTO payout_address_change (owner_kind, owner_id, address, changed_by_id)
           VALUES ('trader', $1::text, $2, 'someone')
           ON CONFLICT (owner_kind, owner_id) DO UPDATE SET id = excluded.id, address = excluded.address, changed_at = now(), released_at = NULL, released_by_id = NULL, released_by = NULL`,
          [world.trader, ADDRESS],
        ),
      end: () =>
        owner(`UPDATE payout_address_change SET released_at = now(), released_by_id = 'x', released_by = 'X'
          WHERE released_at IS NULL`),
      shows: { code: 'trader', turn: 'you' },
    },
    address_disowned: {
      begin: async () => {
        await cases.address_waiting.begin();
        await owner('UPDATE trader SET external_wallet_address = $2, telegram_user_id = $3 WHERE id = $1', [
          world.trader,
          ADDRESS,
          '700700700',
        ]);
        await owner(`UPDATE trader SET telegram_set_at = '2020-01-01' WHERE id = $1`, [world.trader]);
        await owner(`INSERT INTO platform_bot_reading (telegram_id, counts_from) VALUES (1, '2020-01-01')
          ON CONFLICT (is_only) DO UPDATE SET telegram_id = 1, counts_from = '2020-01-01'`);
        await owner(
          `INSERT INTO payout_address_word (change_id, kind, trader_id, address, bot_telegram_id, update_id, telegram_user_id)
           SELECT a.id, 'not_me', $1::uuid, $2, 1, 1, 700700700 FROM payout_address_change a
           WHERE a.owner_kind = 'trader' AND a.owner_id = $1::text`,
          [world.trader, ADDRESS],
        );
      },
      end: () => cases.address_waiting.end(),
      shows: { code: 'trader', turn: 'you' },
    },
    setting_waiting: {
      begin: () =>
        owner(`INSERT INTO platform_setting_change (name, previous, value, based_on, state, requested_at, requested_by_id,
          requested_by) VALUES ('payout_approval_limit', '1', '2', 0, 'waiting', now(), 'someone', 'Someone')`),
      end: () =>
        owner(`UPDATE platform_setting_change SET state = 'declined', decided_at = now(), decided_by_id = 'x',
          decided_by = 'X' WHERE state = 'waiting'`),
      shows: { code: 'payout_approval_limit', turn: 'you' },
    },
    super_admin_waiting: {
      begin: () =>
        owner(`UPDATE identity.user_access SET confirmed_at = NULL, confirmed_by_id = NULL
          WHERE user_id = (SELECT id FROM identity.person WHERE email = 'super-2@demo.example')`),
      end: () => owner('UPDATE identity.user_access SET confirmed_at = now() WHERE super'),
      // With one confirmed super admin only an operator of the server confirms another.
      shows: { code: 'operator_confirmation_required', turn: 'system', tab: 'others' },
    },
    pool_traded_on: {
      begin: async () => {
        const pool = await addPool(ownerOf(ownerUrl), world.community);
        await owner(`UPDATE harvest_cycle SET reason = 'positions_appeared' WHERE pooled_account_id = $1`, [
          pool,
        ]);
      },
      end: () =>
        owner(
          `UPDATE harvest_cycle SET reason = NULL WHERE reason = 'positions_appeared' AND ended_at IS NULL`,
        ),
      shows: { code: 'positions_appeared', turn: 'you' },
    },
    harvest_waiting: {
      begin: () =>
        owner(
          `UPDATE harvest_cycle SET status = 'failed', failed_from = 'stopping_harvesting', step = 'sending',
             reason = 'shortfall' WHERE ended_at IS NULL
             AND pooled_account_id = (SELECT id FROM pooled_account WHERE community_id = $1)`,
          [world.community],
        ),
      end: () =>
        owner(`UPDATE harvest_cycle SET status = 'stopped', failed_from = NULL, step = 'trading', reason = NULL
          WHERE reason = 'shortfall'`),
      shows: { code: 'resolve', turn: 'you' },
    },
    arrival_open: {
      begin: () =>
        owner(
          `WITH c AS (SELECT h.id, h.pooled_account_id FROM harvest_cycle h JOIN pooled_account p
             ON p.id = h.pooled_account_id WHERE p.community_id = $1 LIMIT 1),
           seen AS (INSERT INTO chain_cursor (chain_id, token_address, block_number, block_hash) VALUES (98, $3, 1, $2))
           INSERT INTO pool_arrival (pooled_account_id, cycle_id, chain_id, token_address, transaction_hash, log_index,
             block_number, from_address, amount_units, state)
           SELECT c.pooled_account_id, c.id, 98, $3, $2, 0, 1, $3, 9e18, 'unexplained' FROM c`,
          [world.community, HASH('b'), ADDRESS],
        ),
      end: () => owner(`UPDATE pool_arrival SET state = 'returned' WHERE state = 'unexplained'`),
      shows: { code: 'undecided', amount: '9', turn: 'you' },
    },
    pool_near_breaker: {
      begin: () =>
        owner(
          `WITH limited AS (
             UPDATE pooled_account SET max_drawdown_percentage = 20 WHERE community_id = $1 RETURNING id)
           UPDATE harvest_cycle SET result_units = 0, valued_returned_units = 0, valued_exchange_units = 0,
             valued_lost_units = 0, valued_unexplained_units = 0, valued_uncovered_units = 0,
             drawdown_percentage = -16.75 WHERE pooled_account_id = (SELECT id FROM limited)`,
          [world.community],
        ),
      // A higher limit is further away; one that is reached keeps the harvest waiting.
      end: () =>
        owner('UPDATE pooled_account SET max_drawdown_percentage = 16.75 WHERE community_id = $1', [
          world.community,
        ]),
      shows: { code: '3.25', turn: 'you' },
    },
    key_failing: {
      begin: () =>
        owner(`UPDATE exchange_account SET read_error = 'ip_not_allowed' WHERE id = $1`, [world.account]),
      end: () => owner('UPDATE exchange_account SET read_error = NULL WHERE id = $1', [world.account]),
      shows: { code: 'ip_not_allowed', detail: expect.any(String), provider: 'Aurora Signals', turn: 'you' },
      ofStaff: true,
    },
    key_expiring: {
      begin: () =>
        owner(`UPDATE exchange_account SET key_expires_at = now() + interval '73 hours' WHERE id = $1`, [
          world.account,
        ]),
      // The key was renewed.
      end: () =>
        owner(`UPDATE exchange_account SET key_expires_at = now() + interval '15 days' WHERE id = $1`, [
          world.account,
        ]),
      shows: { code: null, count: 3, detail: expect.any(String), provider: 'Aurora Signals', turn: 'you' },
      ofStaff: true,
    },
    accounts_unread: {
      begin: () =>
        owner(`UPDATE account_reading SET due_at = now() - interval '2 hours' WHERE account_id = $1`, [
          world.account,
        ]),
      end: () => owner('UPDATE account_reading SET due_at = now()'),
      shows: { count: 1, provider: 'Aurora Signals', turn: 'you' },
      ofStaff: true,
    },
    message_failed: {
      begin: () =>
        owner(
          `INSERT INTO message (trader_id, provider_id, kind, language, text, dedupe_key, state, problem, requested_by,
             created_at)
           SELECT $1::uuid, $2::uuid, 'invoice_overdue', 'en', 'Pay', k, 'failed', 'no_chat', 'system', now()
           FROM unnest(ARRAY['test-1', 'test-2']) AS k`,
          [world.trader, world.provider],
        ),
      // The next one arrives.
      end: () =>
        owner(
          `INSERT INTO message (trader_id, provider_id, kind, language, text, dedupe_key, state, requested_by, sent_at,
             created_at)
           VALUES ($1, $2, 'invoice_paid', 'en', 'Thanks', 'test-3', 'sent', 'system', now(), now() + interval '1 second')`,
          [world.trader, world.provider],
        ),
      shows: { code: 'no_chat', count: 2, turn: 'you' },
      ofStaff: true,
    },
    owner_unreached: {
      begin: () =>
        owner(
          `INSERT INTO message (community_id, kind, language, text, dedupe_key, state, problem, requested_by)
           VALUES ($1, 'withdraw_funds', 'en', 'Withdraw', 'test-4', 'failed', 'blocked', 'system')`,
          [world.community],
        ),
      end: () => owner(`UPDATE message SET state = 'queued' WHERE dedupe_key = 'test-4'`),
      shows: { code: 'blocked', count: 1, turn: 'you' },
    },
    bot_failing: {
      begin: () =>
        owner(`INSERT INTO exchange_bot_reading (bot_id, telegram_id, problem, problem_at)
          SELECT b.id, b.telegram_id, 'refused', now() FROM exchange_bot b WHERE b.is_active ORDER BY b.id LIMIT 1
          ON CONFLICT (bot_id) DO UPDATE SET problem = 'refused', problem_at = now()`),
      end: () => owner('UPDATE exchange_bot_reading SET problem = NULL, problem_at = NULL'),
      shows: { code: 'refused', turn: 'you' },
    },
    payment_unmatched: {
      begin: () =>
        owner(
          `INSERT INTO payment (trader_id, amount_units, open_units, source_type, source_id, received_at)
           VALUES ($1, 8e18, 2e18, 'test', 'one', now())`,
          [world.trader],
        ),
      end: () => owner(`UPDATE payment SET open_units = 0 WHERE source_type = 'test'`),
      shows: { count: 1, amount: '2', turn: 'you' },
    },
    invoices_drafted: {
      begin: () =>
        owner(`INSERT INTO invoicing_run (state, requested_by, drafted_at, invoices, amount_units)
          VALUES ('draft', 'X', now(), 3, 12e18), ('draft', 'X', now(), 0, 0)`),
      end: () => owner(`UPDATE invoicing_run SET state = 'sending' WHERE state = 'draft'`),
      shows: { count: 3, amount: '12', turn: 'you' },
    },
    invoices_overdue: {
      begin: () => overdue("now() - interval '15 days'"),
      end: () => overdue("now() - interval '13 days'"),
      shows: { count: 1, amount: '40', turn: 'you' },
      ofStaff: true,
    },
    delinquent_suggested: {
      begin: async () => {
        await overdue("now() - interval '13 days'");
        await owner('UPDATE trader SET suggested_delinquent_at = now() WHERE id = $1', [world.trader]);
      },
      end: () => overdue("now() + interval '1 day'"),
      shows: { count: 1, amount: '40', turn: 'you' },
      ofStaff: true,
    },
    access_waiting: {
      begin: () =>
        owner(
          `INSERT INTO identity.waitlist (email, name, joined_at) VALUES ('new@demo.example', 'New', now())`,
        ),
      end: () =>
        owner(`UPDATE identity.waitlist SET state = 'declined', decided_at = now(), decided_by = 'X'`),
      shows: { title: 'New', turn: 'you' },
    },
    refusals_many: {
      begin: () =>
        owner(`INSERT INTO refused_attempt (hour, kind, code, call, network, address, first_at, last_at, count)
          VALUES (date_trunc('hour', now()), 'authentication', 'invalid_token', 'GET /api/me', '10.0.0.0', '10.0.0.9',
            now(), now(), 38)`),
      end: () =>
        owner(`UPDATE refused_attempt SET hour = now() - interval '2 days', first_at = now() - interval '2 days',
          last_at = now() - interval '2 days' WHERE count = 38`),
      shows: { title: '10.0.0.9', code: 'invalid_token', count: 38, turn: 'you' },
    },
    chain_stopped: {
      begin: () =>
        owner(
          `UPDATE chain_cursor SET stopped_because = 'reorganised', needs_review = true WHERE chain_id = 98`,
        ),
      end: () =>
        owner('UPDATE chain_cursor SET stopped_because = NULL, needs_review = false WHERE chain_id = 98'),
      shows: { code: 'reorganised', turn: 'you' },
    },
    check_failed: {
      begin: () => owner(`INSERT INTO check_result (name, findings) VALUES ('test_check', 3)`),
      end: () => owner('UPDATE check_result SET findings = 0'),
      shows: { code: 'test_check', count: 3, turn: 'you' },
    },
    work_failing: {
      // One that failed once is tried again.
      begin: () =>
        owner(`INSERT INTO failing_job (name, runs) VALUES ('begin-invoicing', 3), ('snapshot-equity', 2)`),
      end: () => owner('DELETE FROM failing_job'),
      shows: { title: 'begin-invoicing', code: 'job', count: 3, turn: 'you' },
    },
    subscription_unpaid: {
      begin: () =>
        owner(
          `INSERT INTO community_subscription (community_id, "interval", current_period_end, status, unpaid_since)
           VALUES ($1, 'monthly', now(), 'past_due', now())
           ON CONFLICT (community_id) DO UPDATE SET status = 'past_due'`,
          [world.community],
        ),
      end: () => owner(`UPDATE community_subscription SET status = 'active'`),
      shows: { code: 'past_due', turn: 'owner', tab: 'others' },
    },
  };
  return cases;
}
