import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStatements } from '../../apps/server/src/platform/db/statements.ts';
import { asOwner } from '../support/owner.ts';
import { createPayoutHistoryWorld, type PayoutHistoryWorld } from '../support/world/payout-history-world.ts';

/** Sums that are kept for the sets of providers which users hold: what they say, when they follow, who sees them. */
let world: PayoutHistoryWorld;
let mine: string[];
beforeAll(async () => {
  world = await createPayoutHistoryWorld();
  mine = (await world.providersOf('staff-multi')).sort();
});
afterAll(() => world.close());

const rows = <R extends object>(text: string, values: unknown[] = []) =>
  asOwner<R & Record<string, unknown>>(world.ownerUrl, text, values);

const sets = async () =>
  (await rows<{ ids: string[] }>('SELECT provider_ids AS ids FROM provider_set ORDER BY provider_ids')).map(
    (row) => row.ids,
  );

const TRUE_TRADERS = `SELECT v.id AS set_id, p.trader_id, sum(p.aum - p.pool_capital) + max(p.pool_capital) AS aum, min(p.aum_read_at) AS read_at, max(p.tab) AS tab,
    t.community_id, t.reference_sort, t.handle_sort, t.created_at,
    sum(p.account_count)::int
  FROM provider_set v JOIN trader_provider p ON p.provider_id = ANY (v.provider_ids) JOIN trader t ON t.id = p.trader_id
  WHERE (SELECT count(*) FROM trader_provider o WHERE o.trader_id = p.trader_id) > 1
  GROUP BY v.id, p.trader_id, t.id`;
const TRUE_PAYOUTS = `SELECT v.id AS set_id, o.id, sum(y.amount_units) AS units, o.status, o.community_id
  FROM provider_set v JOIN payable y ON y.provider_id = ANY (v.provider_ids)
  JOIN payout o ON o.id = y.payout_id
  WHERE (SELECT count(DISTINCT provider_id) FROM payable z WHERE z.payout_id = o.id) > 1
  GROUP BY v.id, o.id, o.status, o.community_id`;

/** Rows that are kept and not true, or true and not kept; and how many are true. */
async function compare() {
  const of = async (kept: string, truth: string) =>
    (
      await rows<{ wrong: number; right: number }>(
        `WITH kept AS (${kept}), truth AS (${truth})
         SELECT (SELECT count(*)::int FROM (TABLE kept EXCEPT TABLE truth) a)
           + (SELECT count(*)::int FROM (TABLE truth EXCEPT TABLE kept) b) AS wrong,
           (SELECT count(*)::int FROM truth) AS right`,
      )
    )[0];
  return {
    traders: await of(
      'SELECT set_id, trader_id, aum, aum_read_at, tab, community_id, reference_sort, handle_sort, created_at, account_count FROM trader_in_set',
      TRUE_TRADERS,
    ),
    payouts: await of(
      'SELECT set_id, payout_id, amount_units, status, community_id FROM payout_in_set',
      TRUE_PAYOUTS,
    ),
  };
}

async function expectTrue(): Promise<void> {
  const { traders, payouts } = await compare();
  expect([traders?.wrong, payouts?.wrong]).toEqual([0, 0]);
  expect(traders?.right).toBeGreaterThan(10);
  expect(payouts?.right).toBeGreaterThan(10);
}

async function addUser(providerIds: readonly string[]): Promise<string> {
  const id = randomUUID();
  await rows(
    `INSERT INTO identity."user" (id, name, email, email_verified) VALUES ($1::uuid, 'Ada', $1::uuid || '@demo.example', true)`,
    [id],
  );
  await rows('INSERT INTO identity.user_access (user_id, admin, provider_ids) VALUES ($1, true, $2)', [
    id,
    providerIds,
  ]);
  return id;
}

test('the provider set of a user is stored, in order, with the sums of shared rows', async () => {
  expect(await sets()).toEqual([mine]);
  await expectTrue();
});

test('sums follow every change: equity, status, community, names, another provider, none any more, a payout', async () => {
  const [shared] = await rows<{ id: string }>('SELECT trader_id AS id FROM trader_in_set ORDER BY 1 LIMIT 1');
  const id = shared?.id;
  await rows(
    'UPDATE exchange_account SET equity = equity + 12.5, equity_read_at = now() WHERE trader_id = $1',
    [id],
  );
  await expectTrue();
  await rows("UPDATE trader SET status = 'delinquent' WHERE id = $1", [id]);
  await expectTrue();
  await rows(
    'UPDATE trader SET community_id = (SELECT id FROM community ORDER BY id LIMIT 1) WHERE id = $1',
    [id],
  );
  await rows(
    'UPDATE trader SET community_id = (SELECT id FROM community ORDER BY id DESC LIMIT 1) WHERE id = $1',
    [id],
  );
  await expectTrue();
  await rows(
    "UPDATE trader SET reference_number = 'NEW-1', telegram_username = NULL, name = 'New' WHERE id = $1",
    [id],
  );
  await expectTrue();
  const [parted] = await rows(
    `SELECT count(*)::int AS wrong FROM trader_provider p JOIN trader t ON t.id = p.trader_id
     WHERE (p.reference_sort, p.handle_sort, p.created_at) IS DISTINCT FROM (t.reference_sort, t.handle_sort, t.created_at)`,
  );
  expect(parted).toEqual({ wrong: 0 });
  const [alone] = await rows<{ id: string }>(
    `SELECT trader_id AS id FROM trader_provider p WHERE NOT is_shared AND provider_id = $1
       AND EXISTS (SELECT FROM exchange_account a WHERE a.trader_id = p.trader_id) LIMIT 1`,
    [mine[0]],
  );
  await rows('UPDATE trader SET selected_provider_id = $2 WHERE id = $1', [alone?.id, mine[1]]);
  await expectTrue();
  await rows('UPDATE trader SET selected_provider_id = $2 WHERE id = $1', [alone?.id, mine[0]]);
  await expectTrue();
  await rows("UPDATE payout SET status = 'failed' WHERE id = (SELECT payout_id FROM payout_in_set LIMIT 1)");
  await rows(
    `UPDATE payable SET amount_units = amount_units + 7
     WHERE payout_id = (SELECT payout_id FROM payout_in_set ORDER BY 1 LIMIT 1)`,
  );
  await expectTrue();
});

test('sets come and go with the users that hold them', async () => {
  const two = mine.slice(0, 2);
  const first = await addUser([...two].reverse());
  const second = await addUser([...two, ...two]);
  expect(await sets()).toHaveLength(2);
  await expectTrue();
  await rows('UPDATE identity.user_access SET disabled_at = now() WHERE user_id = $1', [first]);
  expect(await sets()).toHaveLength(2);
  await rows('UPDATE identity.user_access SET provider_ids = $2 WHERE user_id = $1', [
    second,
    two.slice(0, 1),
  ]);
  expect(await sets()).toEqual([mine]);
  await expectTrue();
});

test('a list is the same with sums that are kept and without', async () => {
  const read = async () => ({
    byAum: (await world.ask('/api/traders', { include_aum: 'true', limit: '10000' }, 'staff-multi')).json(),
    ascending: (
      await world.ask(
        '/api/traders',
        { orderDir: 'asc', tab: 'connected', offset: '3', limit: '20' },
        'staff-multi',
      )
    ).json(),
    byAmount: await world.listAll({ orderBy: 'amount' }, 'staff-multi'),
    byStatus: await world.listAll({ orderBy: 'status', orderDir: 'asc' }, 'staff-multi'),
    csv: (await world.ask('/api/traders/export', {}, 'staff-multi')).body,
  });
  const data = ({ byAum, ascending, ...rest }: Awaited<ReturnType<typeof read>>) => ({
    ...rest,
    byAum: byAum.data,
    total: byAum.meta.total,
    aum: byAum.meta.total_aum,
    ascending: ascending.data,
  });
  const kept = data(await read());
  expect(kept.byAum.length).toBeGreaterThan(20);
  await rows('UPDATE identity.user_access SET disabled_at = now() WHERE cardinality(provider_ids) = 3');
  expect(await sets()).toEqual([]);
  // The set goes while a session that was signed in before still reads: nothing may vanish from its lists.
  const scope = { kind: 'providers', providerIds: mine } as const;
  const added = await world.db.read(scope, ({ sql }) =>
    sql.selectFrom('trader_in_set').select('trader_id').execute(),
  );
  expect(added).toEqual([]);
  await rows(
    'UPDATE identity.user_access SET disabled_at = NULL, provider_ids = provider_ids WHERE cardinality(provider_ids) = 3',
  );
  await rows('DELETE FROM provider_set');
  const without = data(await read());
  expect(without).toEqual(kept);
  await rows('UPDATE identity.user_access SET admin = admin');
  expect(data(await read())).toEqual(kept);
});

test('the sums of a set are visible to holders of exactly this set, and written by triggers only', async () => {
  const count = (providerIds: string[]) =>
    world.db.read({ kind: 'providers', providerIds }, async ({ sql }) => [
      (await sql.selectFrom('trader_in_set').select('trader_id').execute()).length,
      (await sql.selectFrom('payout_in_set').select('payout_id').execute()).length,
      (await sql.selectFrom('provider_set').select('id').execute()).length,
    ]);
  const [other] = await rows<{ id: string }>('SELECT id FROM provider WHERE NOT id = ANY ($1)', [mine]);
  const whole = await count([...mine].reverse());
  expect(Math.min(...whole)).toBeGreaterThan(0);
  expect(await count(mine.slice(0, 2))).toEqual([0, 0, 0]);
  expect(await count(mine.slice(0, 1))).toEqual([0, 0, 0]);
  expect(await count([other?.id ?? ''])).toEqual([0, 0, 0]);
  // More than the set: it may know of the set, and its sums are others.
  expect(await count([...mine, other?.id ?? ''])).toEqual([0, 0, 1]);
  for (const statement of [
    'DELETE FROM trader_in_set',
    'UPDATE payout_in_set SET amount_units = 1',
    "INSERT INTO provider_set (provider_ids) VALUES ('{}')",
    'SELECT app.refresh_trader_sets(NULL, NULL)',
    'SELECT app.refresh_payout_sets(NULL, NULL)',
    'SELECT app.provider_sets_in_use()',
    'SELECT app.provider_sets_agree()',
  ])
    await expect(createStatements(world.db.pool).query(statement), statement).rejects.toThrow(
      /permission denied/,
    );
});
