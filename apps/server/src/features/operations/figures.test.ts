import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asOwner } from '../../../../../tests/support/owner.ts';
import { createTestApp, type TestApp } from '../../../../../tests/support/test-app.ts';
import { recordCheck } from '../../platform/observe/check-results.store.ts';
import { beat, endBeat } from '../../platform/work/heartbeat.store.ts';
import { measureOperations } from './measure-operations.ts';

let product: TestApp;
let registry: Registry;
let at = 0;
beforeAll(async () => {
  product = await createTestApp({ scale: 0.02 });
  registry = new Registry();
  measureOperations(registry, { db: product.db, log: product.log, now: () => at });
});
afterAll(() => product?.close());

const owner = <T extends object>(statement: string) => asOwner<T>(product.ownerUrl, statement);

/** The samples of a scrape after everything that was cached has expired, by name and labels. */
async function scrape(): Promise<Record<string, number>> {
  at += 60_000;
  const lines = (await registry.metrics()).split('\n').filter((line) => line && !line.startsWith('#'));
  return Object.fromEntries(
    lines.map((line) => {
      const space = line.lastIndexOf(' ');
      return [
        line.slice(0, space).replaceAll('"', ''),
        Number(line.slice(space + 1).replace('+Inf', 'Infinity')),
      ];
    }),
  );
}

test('an installation at rest has figures, and none that would alarm', async () => {
  const figures = await scrape();
  expect(figures.copydesk_figures_up).toBe(1);
  expect(figures.copydesk_workers).toBe(0);
  expect(figures).not.toHaveProperty('copydesk_gas_days_left');
  expect(
    Object.keys(figures).filter((name) => /frozen|failed\{reason|halted|stopped|backup/.test(name)),
  ).toEqual([]);
});

test('money that stands still is counted by its reason', async () => {
  const [community] = await owner<{ id: string }>('SELECT id FROM community LIMIT 1');
  await owner(`
    ALTER TABLE transfer DISABLE TRIGGER USER;
    INSERT INTO chain_wallet (id, chain_id, role, owner_id, key_index, address, frozen_because, frozen_at) VALUES
      ('00000000-0000-7000-8000-000000000001', 97, 'community', gen_random_uuid(), 9001, '0x${'1'.repeat(40)}', 'balance_short', now()),
      ('00000000-0000-7000-8000-000000000002', 97, 'gas', '00000000-0000-0000-0000-000000000000', 0, '0x${'2'.repeat(40)}', NULL, NULL),
      ('00000000-0000-7000-8000-000000000003', 97, 'community', gen_random_uuid(), 9002, '0x${'3'.repeat(40)}', NULL, NULL);
    INSERT INTO transfer_heartbeat (chain_id, gas_wei, gas_read_at, halted_because, halted_at)
      VALUES (97, 3e18, now(), 'fees_too_high', now());
    INSERT INTO transfer (id, kind, wallet_id, to_address, amount_units, state, nonce, ended_at) VALUES
      ('00000000-0000-7000-8000-000000000010', 'gas_topup', '00000000-0000-7000-8000-000000000002', '0x${'4'.repeat(40)}', 1, 'final', 0, now());
    INSERT INTO transfer_attempt (transfer_id, wallet_id, nonce, attempt, hash, raw, max_fee_wei, priority_fee_wei, gas_limit,
        created_at, block_number, block_hash, is_success, fee_wei)
      VALUES ('00000000-0000-7000-8000-000000000010', '00000000-0000-7000-8000-000000000002', 0, 1, '0x${'a'.repeat(64)}', '0xaa',
        1, 1, 1, now() - interval '2 days', 1, '0x', true, 1e18);
    INSERT INTO distribution (id, community_id, state, amount_units, requested_by_id, requested_by) VALUES
      ('00000000-0000-7000-8000-000000000020', '${community?.id}', 'approved', 1, 'a', 'a'),
      ('00000000-0000-7000-8000-000000000021', '${community?.id}', 'awaiting_approval', 1, 'a', 'a');
    INSERT INTO payout (id, community_id, status, recipient_type, recipient_address, amount_units, distribution_id, problem,
        ordered_at, ordered_by_id)
      SELECT ('00000000-0000-7000-8000-00000000003' || n)::uuid, '${community?.id}', status, 'mark', '0x${'5'.repeat(40)}', 1,
        ('00000000-0000-7000-8000-00000000002' || d)::uuid, problem, now() - interval '2 hours', 'a'
      FROM (VALUES (1, 'distributing', NULL, 0), (2, 'pending', NULL, 0), (3, 'failed', 'reverted', 0), (4, 'failed', 'sent_again', 0),
        (5, 'pending', NULL, 1), (6, 'distributing', NULL, 0)) v (n, status, problem, d);
    INSERT INTO transfer (kind, wallet_id, community_id, payout_id, to_address, token_address, amount_units, problem) VALUES
      ('distribute', '00000000-0000-7000-8000-000000000003', '${community?.id}', '00000000-0000-7000-8000-000000000031',
        '0x${'5'.repeat(40)}', '0x${'6'.repeat(40)}', 1, 'over_day_limit'),
      ('distribute', '00000000-0000-7000-8000-000000000001', '${community?.id}', '00000000-0000-7000-8000-000000000036',
        '0x${'5'.repeat(40)}', '0x${'6'.repeat(40)}', 1, NULL);
    INSERT INTO chain_cursor (chain_id, token_address, block_number, block_hash, updated_at, stopped_because, needs_review)
      VALUES (97, '0x${'6'.repeat(40)}', 1, '0x${'0'.repeat(64)}', now() - interval '1 hour', 'another block', true);
    ALTER TABLE transfer ENABLE TRIGGER USER`);
  await owner(`UPDATE transfer_gate SET stopped_since = now() - interval '1 hour'`);
  const figures = await scrape();
  await owner(`UPDATE transfer_gate SET stopped_since = NULL`);
  expect(Math.round(figures.copydesk_payments_stopped_seconds ?? 0)).toBe(3600);
  expect(figures).toMatchObject({
    'copydesk_wallets_frozen{role=community,reason=balance_short}': 1,
    copydesk_gas_coins: 3,
    'copydesk_payouts_halted{reason=fees_too_high}': 1,
    'copydesk_payouts_waiting{reason=over_day_limit}': 1,
    'copydesk_payouts_waiting{reason=wallet_frozen}': 1,
    'copydesk_payouts_waiting{reason=in_turn}': 1,
    'copydesk_payouts_failed{reason=reverted}': 1,
    'copydesk_transfers_open{kind=distribute,reason=over_day_limit}': 1,
    'copydesk_transfers_open{kind=distribute,reason=planned}': 1,
    'copydesk_chain_stopped{chain=97}': 2,
    'copydesk_approvals_waiting{kind=distribution}': 1,
  });
  // One coin in two days.
  expect(figures.copydesk_gas_spent_coins_per_day).toBeCloseTo(0.5, 3);
  expect(figures.copydesk_gas_days_left).toBeCloseTo(6, 2);
  expect(figures['copydesk_payouts_waiting_oldest_seconds{reason=in_turn}']).toBeGreaterThan(7_190);
  expect(figures['copydesk_chain_read_age_seconds{chain=97}']).toBeGreaterThan(3_590);
  expect(Object.keys(figures)).not.toContain('copydesk_payouts_failed{reason=sent_again}');
});

test('accounts, messages, queues and bots are counted where they are late or refused', async () => {
  await owner(`
    UPDATE exchange_account SET read_error = NULL, equity_read_at = now();
    UPDATE account_reading SET due_at = now() + interval '1 minute', failures = 0;
    UPDATE harvest_cycle SET look_at = now() + interval '1 minute' WHERE look_at IS NOT NULL;
    UPDATE harvest_cycle SET look_at = now() - interval '20 minutes'
      WHERE id = (SELECT id FROM harvest_cycle WHERE ended_at IS NULL ORDER BY id LIMIT 1);
    UPDATE exchange_account SET read_error = 'timeout', equity_read_at = now() - interval '2 hours'
      WHERE id = (SELECT id FROM exchange_account WHERE exchange = 'bybit' AND removed_at IS NULL ORDER BY id LIMIT 1);
    UPDATE exchange_account SET read_error = 'timeout', equity_read_at = now() - interval '10 minutes'
      WHERE id = (SELECT id FROM exchange_account WHERE exchange = 'okx' AND removed_at IS NULL ORDER BY id LIMIT 1);
    UPDATE account_reading SET due_at = now() - interval '2 hours'
      WHERE account_id = (SELECT account_id FROM account_reading WHERE exchange = 'okx' LIMIT 1);
    INSERT INTO message (trader_id, kind, language, text, dedupe_key, state, due_at, requested_by)
      SELECT (SELECT id FROM trader LIMIT 1), 'invoice_created', 'en', 'x', 'figures ' || n, state, now() + due, 'a'
      FROM (VALUES (1, 'failed', interval '0'), (2, 'queued', interval '-20 minutes'), (3, 'queued', interval '1 hour')) v (n, state, due);
    INSERT INTO invoicing_run (requested_by, created_at) VALUES ('a', now() - interval '3 hours');
    INSERT INTO pgboss.job (name, singleton_key, source_name, output, created_on, start_after) VALUES
      ('scheduled', 'reconcile-ledger', NULL, NULL, now(), now() - interval '20 minutes'),
      ('scheduled', 'begin-invoicing', NULL, NULL, now(), now() + interval '1 minute'),
      ('stripe-sync', 'customer:cus_1', NULL, NULL, now(), now()),
      ('sync-failed', 'customer:cus_2', 'stripe-sync', '{"message": "unavailable"}', now() - interval '2 hours', now());
    UPDATE exchange_bot SET problem = 'refused' WHERE id = (SELECT id FROM exchange_bot LIMIT 1)`);
  const [bots] = await owner<{ count: string }>(
    "SELECT count(*) FROM exchange_bot WHERE problem = 'refused'",
  );
  const figures = await scrape();
  expect(figures).toMatchObject({
    'copydesk_accounts_unread{exchange=bybit,reason=timeout}': 1,
    'copydesk_accounts_unread{exchange=okx,reason=overdue}': 1,
    'copydesk_messages_waiting{channel=trader}': 1,
    'copydesk_messages_failed{channel=trader}': 1,
    'copydesk_queue_waiting{queue=invoicing}': 1,
    'copydesk_queue_waiting{queue=accounts}': 1,
    'copydesk_queue_waiting{queue=harvest}': 1,
    'copydesk_queue_waiting{queue=reconcile-ledger}': 1,
    'copydesk_queue_waiting{queue=stripe-sync}': 1,
    'copydesk_syncs_failed{queue=stripe-sync,reason=unavailable}': 1,
  });
  expect(Object.keys(figures)).not.toContain('copydesk_accounts_unread{exchange=okx,reason=timeout}');
  expect(figures['copydesk_messages_waiting_oldest_seconds{channel=trader}']).toBeGreaterThan(1_190);
  expect(figures['copydesk_queue_oldest_seconds{queue=invoicing}']).toBeGreaterThan(10_790);
  expect(figures['copydesk_queue_oldest_seconds{queue=accounts}']).toBeGreaterThan(7_190);
  expect(figures['copydesk_queue_oldest_seconds{queue=harvest}']).toBeGreaterThan(1_190);
  expect(figures['copydesk_queue_oldest_seconds{queue=reconcile-ledger}']).toBeGreaterThan(1_190);
  expect(
    figures['copydesk_syncs_failed_oldest_seconds{queue=stripe-sync,reason=unavailable}'],
  ).toBeGreaterThan(7_190);
  const queues = Object.keys(figures).filter((name) => name.startsWith('copydesk_queue_waiting'));
  expect(queues.join()).not.toMatch(/sync-failed|scheduled|begin-invoicing/);
  if (Number(bots?.count) > 0)
    expect(figures['copydesk_bots_failing{bot=community,problem=refused}']).toBe(Number(bots?.count));
});

test('workers, verdicts and backups are told with their age', async () => {
  const [running, ended] = [crypto.randomUUID(), crypto.randomUUID()];
  for (const worker of [running, ended]) await beat(product.db, worker, { problem: null, noted: null });
  await endBeat(product.db, ended);
  await recordCheck(product.db, 'ledger_recent', 3);
  await recordCheck(product.db, 'wallets', 0);
  await owner(`
    UPDATE check_result SET checked_at = now() - interval '1 hour' WHERE name = 'wallets';
    INSERT INTO audit_verification (requested_by, started_at, finished_at, is_intact, entries) VALUES ('a', now(), now(), true, 1);
    INSERT INTO backup_record (kind, taken_at, finished_at, bytes, verified_at) VALUES
      ('dump', now() - interval '3 days', now() - interval '3 days', 5, now() - interval '2 days'),
      ('dump', now() - interval '1 day', now() - interval '1 day', 7, NULL),
      ('dump', now(), NULL, NULL, NULL),
      ('old_tool', now() - interval '100 days', now() - interval '100 days', 7, NULL)`);
  const figures = await scrape();
  expect(figures).toMatchObject({
    copydesk_workers: 1,
    'copydesk_check_findings{check=ledger_recent}': 3,
    'copydesk_check_findings{check=wallets}': 0,
    'copydesk_check_findings{check=audit_chain}': 0,
    'copydesk_check_findings{check=audit_head}': 0,
    'copydesk_backup_bytes{kind=dump}': 7,
  });
  expect(figures['copydesk_check_age_seconds{check=wallets}']).toBeGreaterThan(3_590);
  expect(figures['copydesk_backup_age_seconds{kind=dump}']).toBeCloseTo(86_400, -2);
  expect(figures['copydesk_backup_verified_age_seconds{kind=dump}']).toBeCloseTo(3 * 86_400, -2);
  expect(Object.keys(figures)).not.toContain('copydesk_backup_age_seconds{kind=old_tool}');

  await beat(product.db, running, { problem: 'cut', noted: null });
  expect((await scrape())['copydesk_check_findings{check=audit_head}']).toBe(1);
});

test('decisions that wait, and addresses whose owner did not change them, are counted', async () => {
  await owner(`
    UPDATE payout_address_change SET released_at = now(), released_by_id = 'x', released_by = 'x' WHERE released_at IS NULL;
    INSERT INTO payout_address_change (id, owner_kind, owner_id, address, changed_by_id)
      SELECT md5('figures' || id)::uuid, 'trader', id, '0x${'5'.repeat(40)}', 'x' FROM trader ORDER BY id LIMIT 2
      ON CONFLICT (owner_kind, owner_id) DO UPDATE SET id = excluded.id, released_at = NULL, released_by_id = NULL, released_by = NULL;
    ALTER TABLE payout_address_word DISABLE TRIGGER USER;
    INSERT INTO payout_address_word (change_id, kind, trader_id, address, bot_telegram_id, update_id, telegram_user_id)
      SELECT c.id, 'not_me', c.owner_id::uuid, c.address, 1, 1, 1 FROM payout_address_change c
      WHERE c.released_at IS NULL ORDER BY c.owner_id LIMIT 1`);
  const figures = await scrape();
  expect(figures['copydesk_approvals_waiting{kind=address}']).toBe(2);
  expect(figures.copydesk_addresses_disowned).toBe(1);
  await owner(
    `UPDATE payout_address_change SET released_at = now(), released_by_id = 'y', released_by = 'y' WHERE released_at IS NULL`,
  );
  expect((await scrape()).copydesk_addresses_disowned).toBe(0);
});

test('labels are codes: no id, no address and no name', async () => {
  const values = Object.keys(await scrape()).flatMap((name) =>
    [...name.matchAll(/[{,]\w+=([^,}]*)/g)].map(([, value]) => value),
  );
  expect(values.length).toBeGreaterThan(20);
  for (const value of values) expect(value).toMatch(/^([a-z][a-z_ -]*|\d{1,5})$/);
});

test('figures are read once for all who ask within seconds, and not at all while they cannot be', async () => {
  await scrape();
  await owner('DELETE FROM backup_record');
  const again = await registry.metrics();
  expect(again).toContain('copydesk_backup_age_seconds{kind="dump"}');
  expect(await scrape()).not.toHaveProperty('copydesk_backup_age_seconds{kind=dump}');

  const read = product.db.read;
  product.db.read = () => Promise.reject(new Error('away'));
  const figures = await scrape();
  product.db.read = read;
  expect(figures.copydesk_figures_up).toBe(0);
  expect(Object.keys(figures).sort()).toEqual(['copydesk_figures_seconds', 'copydesk_figures_up']);
});
