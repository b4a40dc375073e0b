import pg from 'pg';
import { send } from '../../support/send.ts';
import type { TestApp } from '../../support/test-app.ts';
import type { Aim, Target } from './case.ts';

const MISSING = '00000000-0000-4000-8000-00000000dead';

/** Reads the world as its owner: the ids to aim at, and the ids that belong to other providers. */
export async function readWorld(product: TestApp, superToken: string) {
  const client = new pg.Client({ connectionString: product.ownerUrl });
  await client.connect();
  await client.query("SELECT set_config('copydesk.scope', 'all', false)");
  const one = async (sql: string, values: unknown[] = []) => (await client.query(sql, values)).rows[0];
  const { id: mine } = await one('SELECT id FROM provider ORDER BY lower(name) LIMIT 1');
  const seen = 'EXISTS (SELECT FROM trader_provider p WHERE p.trader_id = t.id AND p.provider_id = $1)';
  // Of a community that is at work: neither archived nor without AUM.
  const isActive = `EXISTS (SELECT FROM community c WHERE c.id = t.community_id AND NOT c.is_archived) AND t.aum > 0`;
  const inside = await one(
    `SELECT id, referral_code, community_id FROM trader t WHERE ${seen} AND ${isActive}
       AND EXISTS (SELECT FROM exchange_account a WHERE a.trader_id = t.id AND a.provider_id = $1)
       AND EXISTS (SELECT FROM invoice i WHERE i.trader_id = t.id AND i.provider_id = $1) LIMIT 1`,
    [mine],
  );
  const outside = await one(
    `SELECT id, referral_code, community_id, selected_provider_id FROM trader t WHERE NOT ${seen} AND ${isActive}
     AND EXISTS (SELECT FROM exchange_account a WHERE a.trader_id = t.id AND a.provider_id = t.selected_provider_id)
     AND EXISTS (SELECT FROM invoice i WHERE i.trader_id = t.id)
     AND NOT EXISTS (SELECT FROM community_provider l WHERE l.community_id = t.community_id AND l.provider_id = $1) LIMIT 1`,
    [mine],
  );
  const accountOf = async (traderId: string, providerId: string) => {
    const account = await one(
      `SELECT exchange, acc_uid AS "accUid" FROM exchange_account WHERE trader_id = $1 AND provider_id = $2 LIMIT 1`,
      [traderId, providerId],
    );
    const provider = await one('SELECT supported_exchanges[1] AS supported FROM provider WHERE id = $1', [
      providerId,
    ]);
    return { ...account, ...provider };
  };
  const link = await one(
    `SELECT l.community_id FROM community_provider l WHERE l.provider_id = $1 AND EXISTS (
       SELECT FROM trader t WHERE t.community_id = l.community_id AND ${isActive}) LIMIT 1`,
    [mine],
  );
  const poolOf = async (communityId: string) => {
    const { id } = await one(
      `INSERT INTO pooled_account (community_id, minimum_deposit_units) VALUES ($1, 1)
       ON CONFLICT (community_id) DO UPDATE SET updated_at = now() RETURNING id`,
      [communityId],
    );
    await one(
      `INSERT INTO harvest_cycle (pooled_account_id, cycle_number) VALUES ($1, 1)
       ON CONFLICT (pooled_account_id, cycle_number) DO NOTHING`,
      [id],
    );
    return id as string;
  };
  const staff = await one(`SELECT id FROM identity."user" WHERE email = 'staff@demo.example'`);
  const other = await one(`SELECT id FROM identity."user" WHERE email = 'no-access@demo.example'`);
  const ofInvoices = async (traderId: string, providerId: string) => {
    const invoice = await one(
      'SELECT id FROM invoice WHERE trader_id = $1 ORDER BY provider_id = $2 DESC LIMIT 1',
      [traderId, providerId],
    );
    const message = await one(
      `INSERT INTO message (trader_id, provider_id, kind, language, text, dedupe_key, requested_by)
       VALUES ($1, $2, 'unpaid_invoices', 'en', 'Hello', gen_random_uuid(), 'Test') RETURNING id`,
      [traderId, providerId],
    );
    // Her own context: not even a transaction that sees everything writes what is another person's.
    await one("SELECT set_config('copydesk.caller', 'user:her', false)");
    const view = await one(
      `INSERT INTO saved_view (user_id, screen, name, query) VALUES ('her', 'invoices', gen_random_uuid(), '') RETURNING id`,
    );
    const run = await one(
      `INSERT INTO invoicing_run (state, finished_at, requested_by) VALUES ('done', now(), 'Test') RETURNING id`,
    );
    const payout = await one(
      'SELECT payout_id AS id FROM payable WHERE provider_id = $1 AND payout_id IS NOT NULL LIMIT 1',
      [providerId],
    );
    const distribution = await one(
      `INSERT INTO distribution (community_id, state, amount_units, requested_by_id, requested_by, decided_by_id,
         decided_by, decided_at)
       SELECT community_id, 'declined', 1, 'somebody', 'Somebody', 'other', 'Other', now() FROM payout
       WHERE id = $1 RETURNING id`,
      [payout.id],
    );
    const wallet = await one(
      `INSERT INTO chain_wallet (chain_id, role, owner_id, key_index, address)
       SELECT 56, 'deposit', id, deposit_index, deposit_address FROM trader WHERE id = $1 RETURNING id`,
      [traderId],
    );
    return {
      distributionId: distribution.id,
      walletId: wallet.id,
      invoiceId: invoice.id,
      messageId: message.id,
      savedViewId: view.id,
      runId: run.id,
      payoutId: payout.id,
    };
  };
  const invoicing = {
    own: await ofInvoices(inside.id, mine),
    foreign: await ofInvoices(outside.id, outside.selected_provider_id),
    missing: {
      distributionId: MISSING,
      walletId: MISSING,
      invoiceId: MISSING,
      messageId: MISSING,
      savedViewId: MISSING,
      runId: MISSING,
      payoutId: MISSING,
    },
  };
  const pools = {
    own: await poolOf(link.community_id),
    foreign: await poolOf(outside.community_id),
    missing: MISSING,
  };
  const { rows } = await client.query(
    `SELECT id::text FROM trader t WHERE NOT ${seen}
     UNION SELECT m.id::text FROM pool_member m JOIN trader t ON t.id = m.trader_id WHERE NOT ${seen}
     UNION SELECT p.id::text FROM pooled_account p WHERE NOT EXISTS (
       SELECT FROM community_provider l WHERE l.community_id = p.community_id AND l.provider_id = $1)
     UNION SELECT id::text FROM exchange_account WHERE provider_id <> $1
     UNION SELECT id::text FROM closed_position WHERE provider_id <> $1
     UNION SELECT id::text FROM invoice WHERE provider_id <> $1
     UNION SELECT id::text FROM message WHERE provider_id <> $1
     UNION SELECT id::text FROM payable WHERE provider_id <> $1
     UNION SELECT id::text FROM payout o WHERE NOT EXISTS (
       SELECT FROM payable y WHERE y.payout_id = o.id AND y.provider_id = $1)
     UNION SELECT id::text FROM provider WHERE id <> $1
     UNION SELECT id::text FROM community c WHERE NOT EXISTS (
       SELECT FROM community_provider l WHERE l.community_id = c.id AND l.provider_id = $1)`,
    [mine],
  );
  // A trader that is seen may have selected another provider: that id is the trader's own datum.
  const named = await client.query(`SELECT DISTINCT selected_provider_id AS id FROM trader t WHERE ${seen}`, [
    mine,
  ]);
  const account = {
    own: await accountOf(inside.id, mine),
    foreign: await accountOf(outside.id, outside.selected_provider_id),
    missing: { exchange: 'bybit', accUid: 'nobody', supported: 'bybit' } as const,
  };
  const others = await client.query<{ uid: string }>(
    `SELECT acc_uid AS uid FROM exchange_account WHERE provider_id <> $1 AND acc_uid <> $2`,
    [mine, account.foreign.accUid],
  );
  await client.end();
  const foreign = new Set<string>(rows.map((row) => row.id));
  for (const { id } of named.rows) foreign.delete(id);

  const created = await send(
    product.app,
    'POST /api/service-tokens',
    {
      body: {
        name: 'Matrix',
        scopes: ['traders:read', 'traders:write', 'directory:read', 'invoices:read', 'pool_requests'],
        provider_ids: [mine],
      },
    },
    superToken,
  );
  const { id: serviceTokenId } = (
    await send(
      product.app,
      'POST /api/service-tokens',
      { body: { name: 'Revoked', scopes: ['traders:read'], provider_ids: [mine] } },
      superToken,
    )
  ).json().data;
  const aims: Record<Target, Aim> = {
    own: {
      traderId: inside.id,
      referralCode: inside.referral_code,
      communityId: link.community_id,
      providerId: mine,
      userId: staff.id,
      serviceTokenId,
      account: account.own,
      poolId: pools.own,
      ...invoicing.own,
    },
    foreign: {
      traderId: outside.id,
      referralCode: outside.referral_code,
      communityId: outside.community_id,
      providerId: outside.selected_provider_id,
      userId: other.id,
      serviceTokenId,
      account: account.foreign,
      poolId: pools.foreign,
      ...invoicing.foreign,
    },
    missing: {
      traderId: MISSING,
      referralCode: 'NOSUCHCODE',
      communityId: MISSING,
      providerId: MISSING,
      userId: MISSING,
      serviceTokenId: MISSING,
      account: account.missing,
      poolId: pools.missing,
      ...invoicing.missing,
    },
  };
  const foreignUids = others.rows.map((row) => row.uid);
  return { aims, foreign, foreignUids, serviceToken: created.json().data.token as string };
}
