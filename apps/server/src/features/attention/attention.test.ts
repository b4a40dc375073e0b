import type { CallInput } from '@copydesk/contract';
import { type AttentionItem, attentionEntry } from '@copydesk/contract/attention';
import { ATTENTION, ATTENTION_KINDS, type AttentionKind } from '@copydesk/domain/attention';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asOwner } from '../../../../../tests/support/owner.ts';
import { send } from '../../../../../tests/support/send.ts';
import { createTestApp, type TestApp } from '../../../../../tests/support/test-app.ts';
import { addPool } from '../../../../../tests/support/world/pools.ts';
import { ownerOf } from '../../../../../tests/support/world/rows.ts';
import { pruneMarks } from './marks.store.ts';

let product: TestApp;
let superAdmin: string;
let staff: string;
let staffOfThree: string;
/** Of the demo world: a trader, a provider and an account of the staff, and a community. */
let world: { trader: string; provider: string; account: string; community: string; foreign: string };
beforeAll(async () => {
  product = await createTestApp({ scale: 0.1 });
  [superAdmin, staff, staffOfThree] = [
    await product.signIn('super'),
    await product.signIn('staff'),
    await product.signIn('staff-multi'),
  ];
  const [found] = await owner<typeof world>(
    `SELECT t.id AS trader, p.id AS provider, a.id AS account, t.community_id AS community,
       (SELECT f.id FROM provider f WHERE f.name NOT IN ('aurora', 'borealis', 'cascade') LIMIT 1) AS foreign
     FROM exchange_account a JOIN trader t ON t.id = a.trader_id JOIN provider p ON p.id = a.provider_id
     WHERE p.name = 'aurora' AND a.removed_at IS NULL
       AND t.selected_provider_id = p.id AND NOT EXISTS (SELECT FROM pooled_account l WHERE l.community_id = t.community_id)
       AND NOT EXISTS (SELECT FROM payout f WHERE f.community_id = t.community_id AND f.status = 'failed')
       AND NOT EXISTS (SELECT FROM invoice i WHERE i.trader_id = t.id AND i.status = 'pending' AND i.due_at < now())
       AND EXISTS (SELECT FROM invoice i WHERE i.trader_id = t.id AND i.provider_id = p.id AND i.status = 'paid')
     ORDER BY t.id LIMIT 1`,
  );
  if (!found) throw new Error('no such trader');
  world = found;
});
afterAll(() => product.close());

const owner = <R extends object = Record<string, never>>(text: string, values: unknown[] = []) =>
  asOwner<R & Record<string, unknown>>(product.ownerUrl, text, values);

type Query = NonNullable<CallInput<'GET /api/attention'>['query']>;
interface Listed {
  data: AttentionItem[];
  meta: { total: number; tabs: Record<'you' | 'others' | 'snoozed', number>; groups: Record<string, number> };
}
async function attention(as: string, query: Query = {}): Promise<Listed> {
  const answer = await send(product.app, 'GET /api/attention', { query: { limit: '200', ...query } }, as);
  expect(answer.statusCode, product.logged.filter((line) => line.includes('"level":50')).join('')).toBe(200);
  return answer.json<Listed>();
}
/** All tabs: what a person sees of a kind. */
async function ofKind(as: string, kind: AttentionKind): Promise<(AttentionItem & { tab: string })[]> {
  const found: (AttentionItem & { tab: string })[] = [];
  for (const tab of ['you', 'others', 'snoozed'] as const)
    for (const item of (await attention(as, { tab, group: ATTENTION[kind].group })).data)
      if (item.kind === kind) found.push({ ...item, tab });
  return found;
}

interface Case {
  begin: () => Promise<unknown>;
  end: () => Promise<unknown>;
  shows: Partial<AttentionItem & { tab: string }>;
  /** Whether the staff of its provider sees it too. */
  ofStaff?: true;
}
const HASH = (letter: string) => `0x${letter.repeat(64)}`;
const ADDRESS = `0x${'a1'.repeat(20)}`;
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

const CASES: { readonly [K in AttentionKind]: Case } = {
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
      await CASES.address_waiting.begin();
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
    end: () => CASES.address_waiting.end(),
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
      const pool = await addPool(ownerOf(product.ownerUrl), world.community);
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
  key_failing: {
    begin: () =>
      owner(`UPDATE exchange_account SET read_error = 'ip_not_allowed' WHERE id = $1`, [world.account]),
    end: () => owner('UPDATE exchange_account SET read_error = NULL WHERE id = $1', [world.account]),
    shows: { code: 'ip_not_allowed', detail: expect.any(String), provider: 'Aurora Signals', turn: 'you' },
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
    end: () => owner(`UPDATE identity.waitlist SET state = 'declined', decided_at = now(), decided_by = 'X'`),
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

const keyOf = ({ kind, subject, provider_id }: Pick<AttentionItem, 'kind' | 'subject' | 'provider_id'>) =>
  `${kind}/${subject}/${provider_id}`;

test.each(ATTENTION_KINDS)(
  '%s appears with its cause, to whom it concerns, and goes with it',
  async (kind) => {
    const { begin, end, shows, ofStaff } = CASES[kind];
    const before = new Set((await ofKind(superAdmin, kind)).map(keyOf));
    const staffBefore = new Set((await ofKind(staff, kind)).map(keyOf));
    await begin();
    const now = (await ofKind(superAdmin, kind)).filter((item) => !before.has(keyOf(item)));
    expect(now).toMatchObject([{ kind, tab: 'you', ...shows }]);
    const seen = (await ofKind(staff, kind)).filter((item) => !staffBefore.has(keyOf(item)));
    expect(seen.map(keyOf)).toEqual(ofStaff ? now.map(keyOf) : []);
    expect(ofStaff ?? attentionEntry(kind).permission === 'super').toBe(true);
    await end();
    const left = (await ofKind(superAdmin, kind)).map(keyOf);
    expect(left.filter((key) => !before.has(key))).toEqual([]);
  },
);

test('counts of tabs and groups are those of the rows, for every persona, whole or in pages', async () => {
  for (const as of [superAdmin, staff, staffOfThree])
    for (const tab of ['you', 'others', 'snoozed'] as const) {
      const { data, meta } = await attention(as, { tab });
      expect(meta.total).toBe(data.length);
      expect(meta.tabs[tab]).toBe(data.length);
      const groups: Record<string, number> = {};
      for (const { kind } of data) groups[ATTENTION[kind].group] = (groups[ATTENTION[kind].group] ?? 0) + 1;
      expect(meta.groups).toEqual(groups);
      const urgencies = data.map(({ kind }) => ATTENTION[kind].urgency);
      expect(urgencies).toEqual(urgencies.toSorted());
      const pages: AttentionItem[] = [];
      for (let offset = 0; offset < data.length; offset += 3)
        pages.push(...(await attention(as, { tab, limit: '3', offset: String(offset) })).data);
      expect(pages.map(keyOf)).toEqual(data.map(keyOf));
    }
});

type Act = CallInput<'PUT /api/attention/mark'>['body']['act'];
const mark = (as: string, { kind, subject, provider_id, cause, version }: AttentionItem, act: Act) =>
  send(
    product.app,
    'PUT /api/attention/mark',
    { body: { kind, subject, provider_id, cause, version, act } },
    as,
  );
const only = async (as: string, kind: AttentionKind) => {
  const [item, ...more] = await ofKind(as, kind);
  if (!item || more.length > 0) throw new Error(`${more.length + (item ? 1 : 0)} of ${kind}`);
  return item;
};
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

test('who takes an item has it alone, until it is given back, handed over, or gone', async () => {
  await CASES.key_failing.begin();
  const first = await only(staff, 'key_failing');
  const [one, two] = await Promise.all([
    mark(staff, first, { kind: 'take' }),
    mark(superAdmin, first, { kind: 'take' }),
  ]);
  expect([one.statusCode, two.statusCode].toSorted()).toEqual([200, 409]);
  const [winner, other] = one.statusCode === 200 ? [staff, superAdmin] : [superAdmin, staff];
  expect(await only(winner, 'key_failing')).toMatchObject({
    tab: 'you',
    turn: 'you',
    taken: { is_you: true },
  });
  const theirs = await only(other, 'key_failing');
  expect(theirs).toMatchObject({ tab: 'others', turn: 'colleague', taken: { is_you: false } });

  const seers = (
    await send(product.app, 'POST /api/attention/people', { body: pick(theirs) }, superAdmin)
  ).json<{ data: { id: string; email: string }[] }>().data;
  const emails = seers.map(({ email }) => email);
  expect(emails).toContain('staff@demo.example');
  expect(emails).toContain('super@demo.example');
  const to = seers.find(({ email }) => email === 'staff-multi@demo.example');
  expect(to).toBeDefined();
  expect((await mark(other, theirs, { kind: 'hand_over', to: 'nobody' })).json()).toMatchObject({
    error: 'attention_not_theirs',
  });
  expect((await mark(other, theirs, { kind: 'hand_over', to: to?.id ?? '' })).statusCode).toBe(200);
  expect(await only(staffOfThree, 'key_failing')).toMatchObject({ tab: 'you', taken: { is_you: true } });

  // The same key works, and fails again later: what was done about the fault before is over.
  await CASES.key_failing.end();
  await owner('UPDATE exchange_account SET equity_read_at = now() WHERE id = $1', [world.account]);
  await CASES.key_failing.begin();
  expect(await only(staff, 'key_failing')).toMatchObject({ tab: 'you', taken: null });
  await CASES.key_failing.end();
});

test('who may only read sees what waits for colleagues and is handed nothing; who lost the access holds nothing', async () => {
  await CASES.key_failing.begin();
  const [{ id: staffId } = { id: '' }] = await owner<{ id: string }>(
    `SELECT id::text FROM identity.person WHERE email = 'staff@demo.example'`,
  );
  const setRole = (role: string | null) =>
    owner(
      `UPDATE identity.user_access SET staff_roles = CASE WHEN $2::text IS NULL THEN '{}'::jsonb
         ELSE jsonb_build_object($3::text, $2::text) END WHERE user_id::text = $1`,
      [staffId, role, world.provider],
    );
  expect((await mark(staff, await only(staff, 'key_failing'), { kind: 'take' })).statusCode).toBe(200);
  await setRole('viewer');
  const reader = await product.signIn('staff');
  const seen = await only(superAdmin, 'key_failing');
  const seers = await send(product.app, 'POST /api/attention/people', { body: pick(seen) }, superAdmin);
  expect(seers.json().data.map(({ id }: { id: string }) => id)).not.toContain(staffId);
  expect((await mark(superAdmin, seen, { kind: 'give_back' })).statusCode).toBe(200);
  expect(await only(reader, 'key_failing')).toMatchObject({ tab: 'others', turn: 'colleague' });
  expect((await mark(reader, await only(reader, 'key_failing'), { kind: 'take' })).statusCode).toBe(403);
  await setRole(null);

  const again = await product.signIn('staff');
  expect((await mark(again, await only(again, 'key_failing'), { kind: 'take' })).statusCode).toBe(200);
  expect(await only(superAdmin, 'key_failing')).toMatchObject({ tab: 'others', taken: { is_you: false } });
  await owner('UPDATE identity.user_access SET disabled_at = now() WHERE user_id::text = $1', [staffId]);
  expect(await only(superAdmin, 'key_failing')).toMatchObject({ tab: 'you', taken: null });
  await owner('UPDATE identity.user_access SET disabled_at = NULL WHERE user_id::text = $1', [staffId]);
  staff = await product.signIn('staff');
  await owner('DELETE FROM attention_mark');
  await CASES.key_failing.end();
});

test('an item sleeps until its end, or until its cause is another one', async () => {
  await CASES.key_failing.begin();
  const item = await only(staff, 'key_failing');
  for (const until of [new Date(Date.now() - 1_000), new Date(Date.now() + 31 * 86_400_000)])
    expect(
      (await mark(staff, item, { kind: 'snooze', until: until.toISOString(), reason: 'x' })).json(),
    ).toMatchObject({ error: 'snooze_too_long' });
  const snooze: Act = { kind: 'snooze', until: inAnHour(), reason: 'The trader answers tomorrow' };
  expect((await mark(staff, item, snooze)).statusCode).toBe(200);
  for (const as of [staff, superAdmin])
    expect(await only(as, 'key_failing')).toMatchObject({
      tab: 'snoozed',
      snoozed: { reason: 'The trader answers tomorrow' },
    });
  await owner(`UPDATE exchange_account SET read_error = 'key_locked' WHERE id = $1`, [world.account]);
  expect(await only(staff, 'key_failing')).toMatchObject({ tab: 'you', snoozed: null });
  // Whoever still sees the earlier cause is refused.
  expect((await mark(superAdmin, item, { kind: 'take' })).json()).toMatchObject({ error: 'attention_gone' });
  await CASES.key_failing.begin();
  expect(await only(staff, 'key_failing')).toMatchObject({ tab: 'snoozed' });
  await owner(`UPDATE attention_mark SET snoozed_until = now() - interval '1 second'`);
  expect(await only(staff, 'key_failing')).toMatchObject({ tab: 'you' });
  expect((await mark(superAdmin, await only(superAdmin, 'key_failing'), snooze)).statusCode).toBe(200);
  expect((await mark(staff, await only(staff, 'key_failing'), { kind: 'wake' })).statusCode).toBe(200);
  expect(await only(superAdmin, 'key_failing')).toMatchObject({ tab: 'you', taken: null });
  await CASES.key_failing.end();
});

test('who reads at one provider and writes at another acts on items of the other alone', async () => {
  await CASES.key_failing.begin();
  const setRole = (roles: string) =>
    owner(
      `UPDATE identity.user_access SET staff_roles = ${roles}
       WHERE user_id = (SELECT id FROM identity.person WHERE email = 'staff-multi@demo.example')`,
    );
  await setRole(`jsonb_build_object('${world.provider}', 'viewer')`);
  const mixed = await product.signIn('staff-multi');
  const seen = await only(mixed, 'key_failing');
  expect(seen).toMatchObject({ tab: 'others', turn: 'colleague' });
  expect((await mark(mixed, seen, { kind: 'take' })).json()).toMatchObject({ error: 'attention_gone' });
  await setRole(`'{}'`);
  await CASES.key_failing.end();
});

test('one person takes nothing urgent from the sight of others, and nothing for longer than a day', async () => {
  await CASES.wallet_frozen.begin();
  const frozen = await only(superAdmin, 'wallet_frozen');
  const other = await product.signIn('super-2');
  expect(
    (await mark(superAdmin, frozen, { kind: 'snooze', until: inAnHour(), reason: 'Later' })).json(),
  ).toMatchObject({ error: 'attention_urgent' });
  expect((await mark(superAdmin, frozen, { kind: 'take' })).statusCode).toBe(200);
  expect(await only(other, 'wallet_frozen')).toMatchObject({ tab: 'you', taken: { is_you: false } });
  await CASES.wallet_frozen.end();

  await CASES.key_failing.begin();
  expect((await mark(superAdmin, await only(superAdmin, 'key_failing'), { kind: 'take' })).statusCode).toBe(
    200,
  );
  expect(await only(other, 'key_failing')).toMatchObject({ tab: 'others', turn: 'colleague' });
  await owner(`UPDATE attention_mark SET taken_at = now() - interval '25 hours'`);
  expect(await only(other, 'key_failing')).toMatchObject({ tab: 'you', taken: { is_you: false } });
  await CASES.key_failing.end();
});

test('old marks are removed, and hold nothing before', async () => {
  await owner('DELETE FROM attention_mark');
  await CASES.key_failing.begin();
  expect((await mark(staff, await only(staff, 'key_failing'), { kind: 'take' })).statusCode).toBe(200);
  await owner(`UPDATE exchange_account SET equity_read_at = now() - interval '200 days' WHERE id = $1`, [
    world.account,
  ]);
  const at = (days: number) =>
    owner(`UPDATE attention_mark SET marked_at = now() - make_interval(days => $1)`, [days]);
  await at(89);
  expect(await only(superAdmin, 'key_failing')).toMatchObject({ tab: 'others' });
  expect(await pruneMarks({ db: product.db, now: () => new Date() })).toBe(0);
  await at(91);
  expect(await only(superAdmin, 'key_failing')).toMatchObject({ tab: 'you', taken: null });
  expect(await pruneMarks({ db: product.db, now: () => new Date() })).toBe(1);
  await CASES.key_failing.end();
});

test('nobody acts on what is not shown to them', async () => {
  await CASES.order_waiting.begin();
  const order = await only(superAdmin, 'order_waiting');
  expect((await mark(staff, order, { kind: 'take' })).json()).toMatchObject({ error: 'attention_gone' });
  expect(
    (await send(product.app, 'POST /api/attention/people', { body: pick(order) }, staff)).json(),
  ).toMatchObject({ error: 'attention_gone' });
  const foreign = { ...order, kind: 'key_failing' as const, provider_id: world.foreign };
  expect((await mark(staff, foreign, { kind: 'take' })).json()).toMatchObject({ error: 'attention_gone' });
  await CASES.order_waiting.end();
});

test('what one asked for oneself waits for another', async () => {
  await CASES.order_waiting.begin();
  const { id } = (await send(product.app, 'GET /api/me', {}, superAdmin)).json<{ data: { id: string } }>()
    .data;
  await owner(`UPDATE money_order SET requested_by_id = $1 WHERE state = 'awaiting_approval'`, [id]);
  expect(await only(superAdmin, 'order_waiting')).toMatchObject({ tab: 'others', turn: 'another' });
  expect(await only(await product.signIn('super-2'), 'order_waiting')).toMatchObject({ tab: 'you' });
  await CASES.order_waiting.end();
});

const pick = ({ kind, subject, provider_id }: AttentionItem) => ({ kind, subject, provider_id });
