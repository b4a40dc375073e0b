import pg from 'pg';
import { takeAddressTurn } from '../apps/server/src/core/transfers/addresses/address-readings.ts';
import { listWaitingAddresses } from '../apps/server/src/features/payouts/addresses/changed-addresses.views.ts';
import { listRequests } from '../apps/server/src/features/pools/flows/requests.views.ts';
import { tellMembers } from '../apps/server/src/features/pools/flows/tell-members.ts';
import { listOrders } from '../apps/server/src/features/transfers/orders/orders.views.ts';
import { bindKysely } from '../apps/server/src/platform/db/bound-kysely.ts';
import { type Database, type Tx, WHOLE_SCOPE } from '../apps/server/src/platform/db/database.ts';
import { benchDatabase } from './support/databases.ts';
import type { Report } from './support/report.ts';

const ROWS = 100_000;
const PAGE = { limit: 25, offset: 0 };

/**
 * What waits for people, and what workers look for there, at a hundred thousand rows each: how many blocks and
 * milliseconds each statement takes (EXPLAIN ANALYZE, BUFFERS), for the rows that it gives. PLANS=1 prints the plans.
 */
export async function benchWaiting(ownerUrl: string, _dataDir: string, report: Report): Promise<void> {
  const databaseUrl = await benchDatabase(ownerUrl, ROWS);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    console.log(`loading ${ROWS.toLocaleString('en-US')} of each`);
    const poolId = await fill(client);
    const rules = { approverMinAgeMs: 0, addressHoldHours: 24 };
    const deps = { rules, now: () => new Date() };
    const plans = (name: string, view: (tx: Tx) => Promise<unknown>) => explain(client, report, name, view);
    /** Statements of a turn of a worker, which then finds nothing to do. */
    const turn = (take: (db: Database) => Promise<unknown>) => (tx: Tx) =>
      take({
        read: (_scope: unknown, work: (tx: Tx) => Promise<unknown>) => work(tx),
        write: async () => {},
      } as unknown as Database).catch((error: Error) => {
        if (error !== DONE) throw error;
      });
    await plans('waiting addresses', (tx) => listWaitingAddresses(tx, deps, CALLER, PAGE));
    await plans('waiting orders', (tx) => listOrders(tx, deps, { callerId: CALLER, isAll: false, ...PAGE }));
    await plans('all orders', (tx) => listOrders(tx, deps, { callerId: CALLER, isAll: true, ...PAGE }));
    await plans('orders of a pool', (tx) =>
      listOrders(tx, deps, { callerId: CALLER, isAll: false, poolId, ...PAGE }),
    );
    for (const isOpenOnly of [true, false])
      await plans(isOpenOnly ? 'open withdrawals of a pool' : 'requests of a pool', (tx) =>
        listRequests(tx, poolId, { isOpenOnly, ...PAGE }),
      );
    await plans(
      'members to tell, all of whom are told',
      turn((db) => tellMembers({ db })),
    );
    const read = async () => {
      throw DONE;
    };
    await plans(
      'addresses to read, all of which are read',
      turn((db) => takeAddressTurn({ db, chainId: 56, read, now: () => new Date() })),
    );
  } finally {
    await client.end();
  }
}

/** Ids without users: the benchmark needs none. */
const AUTHOR = '00000000-0000-4000-8000-000000000001';
const CALLER = '00000000-0000-4000-8000-000000000002';

const DONE = new Error('what was found is not worked on');

/** Runs a view as the API does, and explains each of its statements. */
async function explain(
  client: pg.Client,
  report: Report,
  name: string,
  view: (tx: Tx) => Promise<unknown>,
): Promise<void> {
  let at = 0;
  const explaining = {
    query: async (query: { text: string; values?: unknown[] }) => {
      at += 1;
      const { rows } = await client.query<{ 'QUERY PLAN': string }>({
        values: query.values ?? [],
        text: `EXPLAIN (ANALYZE, BUFFERS, COSTS OFF) ${query.text}`,
      });
      const lines = rows.map((row) => row['QUERY PLAN']);
      const plan = lines.join('\n');
      const number = (pattern: RegExp) => Number(pattern.exec(plan)?.[1] ?? 0);
      const blocks = number(/Buffers: shared hit=(\d+)/) + number(/Buffers: shared.* read=(\d+)/);
      const result = `${number(/Execution Time: ([\d.]+)/).toFixed(1)} ms, ${blocks} blocks, ${number(/rows=([\d.]+)/)} rows`;
      report.row(`${name}, statement ${at}`, result);
      if (process.env.PLANS) console.log(plan);
      return client.query(query);
    },
  };
  await client.query('BEGIN READ ONLY');
  await client.query(
    `SELECT set_config('role', 'copydesk_app', true), set_config('copydesk.scope', 'all', true),
       set_config('jit', 'off', true), set_config('max_parallel_workers_per_gather', '0', true),
       set_config('work_mem', '16MB', true)`,
  );
  await view({
    scope: WHOLE_SCOPE,
    sql: bindKysely(explaining as unknown as pg.ClientBase),
    filtersScope: true,
    isCurrent: true,
  });
  await client.query('ROLLBACK');
}

/** Each trader has a new address, is a member of one pool, has told and read what there is, and asked to withdraw. */
async function fill(client: pg.Client): Promise<string> {
  await client.query("SET copydesk.scope = 'all'; SET copydesk.bulk = 'on'; SET work_mem = '256MB'");
  const { rows } = await client.query<{ id: string }>('SELECT id FROM pooled_account ORDER BY id LIMIT 1');
  const poolId = rows[0]?.id ?? '';
  const author = `'${AUTHOR}'`;
  const address = (of: string) => `'0x' || substr(encode(sha256(${of}::text::bytea), 'hex'), 1, 40)`;
  for (const statement of [
    `INSERT INTO payout_address_change (owner_kind, owner_id, address, changed_at, changed_by_id)
     SELECT 'trader', t.id::text, ${address('t.id')}, now() - random() * interval '90 days', ${author} FROM trader t
     ON CONFLICT DO NOTHING`,
    `INSERT INTO payout_address_change (owner_kind, owner_id, address, changed_at, changed_by_id)
     SELECT 'trader_referrer', t.id::text, t.referred_by_trader_id::text, now() - random() * interval '90 days', ${author}
     FROM trader t WHERE t.referred_by_trader_id IS NOT NULL ON CONFLICT DO NOTHING`,
    `INSERT INTO message (trader_id, kind, language, text, dedupe_key, state, sent_at, requested_by)
     SELECT a.owner_id::uuid, 'wallet_changed', 'en', 'x', 'wallet_changed:' || a.id, 'sent', now(), 'worker'
     FROM payout_address_change a WHERE a.owner_kind = 'trader'`,
    `INSERT INTO address_reading (chain_id, address, is_contract, is_token, nonce, coin_wei, token_units, block_number, read_at)
     SELECT DISTINCT 56, lower(place.address), false, false, 0, 0, 0, 1, now() FROM (
       SELECT a.address FROM payout_address_change a WHERE a.owner_kind = 'trader'
       UNION ALL SELECT external_wallet_address FROM trader WHERE external_wallet_address IS NOT NULL
       UNION ALL SELECT bybit_deposit_address FROM pooled_account WHERE bybit_deposit_address IS NOT NULL) place(address)
     ON CONFLICT DO NOTHING`,
    `INSERT INTO pool_member (pooled_account_id, trader_id) SELECT '${poolId}', id FROM trader ON CONFLICT DO NOTHING`,
    // As many that were approved before as wait.
    ...['awaiting_approval', 'approved'].map(
      (state) => `WITH placed AS (
         INSERT INTO money_order (act, state, needs, pooled_account_id, community_id, amount_units, facts, requested_at,
           requested_by_id, requested_by, decided_at, decided_by_id, decided_by)
         SELECT 'pool_withdrawals', '${state}', '{above_limit}', p.id, p.community_id, 5, '{}', n.at, ${author}, 'x',
           ${state === 'approved' ? "n.at, 'other', 'x'" : 'NULL, NULL, NULL'}
         FROM (SELECT n, now() - random() * interval '90 days' AS at FROM generate_series(1, ${ROWS}) n) n
         JOIN LATERAL (SELECT id, community_id FROM pooled_account ORDER BY id OFFSET n.n % 4 LIMIT 1) p ON true RETURNING id)
       INSERT INTO money_order_line (order_id, place, subject_id, label, to_address, amount_units)
       SELECT id, 1, gen_random_uuid(), 'x', (SELECT address FROM address_reading LIMIT 1), 5 FROM placed`,
    ),
    `INSERT INTO pool_withdrawal (pooled_account_id, member_id, amount_units, requested_by, created_at, state, ended_at)
     SELECT m.pooled_account_id, m.id, 5, 'x', now() - n * interval '1 hour',
       CASE n WHEN 0 THEN 'queued' ELSE 'cancelled' END, CASE n WHEN 0 THEN NULL ELSE now() END
     FROM pool_member m, generate_series(0, 1) n WHERE m.pooled_account_id = '${poolId}'`,
    'ANALYZE',
  ])
    await client.query(statement);
  return poolId;
}
