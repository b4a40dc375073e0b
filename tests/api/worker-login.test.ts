import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { workerUrlOf } from '../support/application-url.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';

// What whoever has the login of a worker cannot do with SQL: decide in the place of people. It may take the role of the
// API, whose triggers bind it then besides.

let product: TestApp;
let client: pg.Client;
beforeAll(async () => {
  product = await createTestApp({ scale: 0.02 });
  client = new pg.Client({ connectionString: await workerUrlOf(product.ownerUrl) });
  await client.connect();
});
afterAll(async () => {
  await client?.end();
  await product?.close();
});

/** Runs statements in a role, with the whole scope, and takes them back. @returns how many rows the last one changed */
async function attempt(role: string, statements: readonly string[]): Promise<number | null> {
  await client.query('BEGIN');
  try {
    await client.query("SELECT set_config('role', $1, true), set_config('copydesk.scope', 'all', true)", [
      role,
    ]);
    let changed: number | null = null;
    for (const statement of statements) changed = (await client.query(statement)).rowCount;
    return changed;
  } finally {
    await client.query('ROLLBACK');
  }
}

const ARRIVAL = `INSERT INTO pool_arrival (pooled_account_id, cycle_id, chain_id, token_address, transaction_hash, log_index,
    block_number, from_address, amount_units, state)
  SELECT pooled_account_id, id, 1, '0x' || repeat('ab', 20), '0x' || repeat('ab', 32), 1, 1, '0x' || repeat('cd', 20), 5,
    'unexplained' FROM harvest_cycle LIMIT 1`;
const DECISION = `INSERT INTO pool_arrival_decision (arrival_id, kind, amount_units, evidence, requested_by_id, requested_by)
  SELECT id, 'covers_shortfall', 5, 'x', 'x', 'x' FROM pool_arrival WHERE amount_units = 5`;

/** Each names a person, as whoever took over a worker would. */
const REFUSED: [string, string[]][] = [
  ['approving an order', ["INSERT INTO money_order (state) VALUES ('approved')"]],
  ['approving a distribution', ["INSERT INTO distribution (state) VALUES ('approved')"]],
  ['approving it first', ["INSERT INTO distribution (first_approved_by_id) VALUES ('x')"]],
  ['approving a payout', ["INSERT INTO payout (approved_by_id) VALUES ('x')"]],
  [
    'releasing an address',
    [
      `INSERT INTO payout_address_change (owner_kind, owner_id, address, changed_by_id)
       SELECT 'trader', 'x', '0x' || repeat('ab', 20), 'y'`,
      "UPDATE payout_address_change SET released_at = now(), released_by_id = 'x', released_by = 'x'",
    ],
  ],
  [
    'confirming what becomes of an arrival',
    [ARRIVAL, DECISION, "UPDATE pool_arrival_decision SET state = 'sending', decided_by = 'x'"],
  ],
  ['deciding it alone', ["INSERT INTO pool_arrival_decision (state) VALUES ('done')"]],
  ['confirming the end of a stop', ["INSERT INTO transfer_stop_lift (state) VALUES ('confirmed')"]],
  [
    'approving a valuation',
    ['UPDATE harvest_cycle SET approved_evidence_id = gen_random_uuid(), approved_result_units = 1'],
  ],
  [
    'approving a pool',
    ['UPDATE pooled_account SET is_approved = false', 'UPDATE pooled_account SET is_approved = true'],
  ],
  ['a setting', ['INSERT INTO platform_setting DEFAULT VALUES']],
  ['applying a setting', ["INSERT INTO platform_setting_change (state) VALUES ('applied')"]],
  [
    'a confirmed super admin',
    ['INSERT INTO identity.user_access (super, confirmed_at) VALUES (true, now())'],
  ],
  [
    'confirming a super admin',
    ['UPDATE identity.user_access SET confirmed_at = now(), confirmed_by_id = user_id WHERE super'],
  ],
  ['a sponsor', ['INSERT INTO identity.user_sponsor DEFAULT VALUES']],
];

/** By the rule for workers, by that for people, which a worker is none of, or because neither program writes it. */
const REASONS =
  /^(a worker approves nothing|.* by an independent, confirmed super admin|permission denied for table \w+)$/;

describe.each(['copydesk_worker', 'copydesk_app'])('in the role %s', (role) => {
  test.each(REFUSED)('%s is refused', async (_, statements) => {
    await expect(attempt(role, statements)).rejects.toThrow(REASONS);
  });
});

test('it ends no stop, and is no operator by name', async () => {
  await expect(
    attempt('copydesk_worker', ["SELECT app.resume_payments('x', 'operator', 'x')"]),
  ).rejects.toThrow('permission denied for function resume_payments');
  await expect(attempt('copydesk_operator', ['SELECT'])).rejects.toThrow('permission denied to set role');
});

test('it proposes, and carries out what was confirmed', async () => {
  expect(await attempt('copydesk_worker', [ARRIVAL, DECISION])).toBe(1);
});
