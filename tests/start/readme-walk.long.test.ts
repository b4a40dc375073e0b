import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '@copydesk/simulators/chain';
import { DEMO_TOKEN_ADDRESS } from '@copydesk/simulators/world';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reconcileWallets } from '../../apps/server/src/features/transfers/reconciliation/reconcile-wallets.ts';
import { createChainSender } from '../../apps/server/src/integrations/chain/chain-sender.ts';
import { createPool } from '../../apps/server/src/platform/db/connection/connection.ts';
import { createDatabase } from '../../apps/server/src/platform/db/database.ts';
import { startDemoWalk } from '../support/demo-walk.ts';

// The walk that the README invites to, in the world as `npm start` brings it up: invoice what is due, let traders pay,
// and pay out every community that owes something.
let walk: Awaited<ReturnType<typeof startDemoWalk>>;
let chainUrl: string;
beforeAll(async () => {
  const port = await findFreePort();
  chainUrl = `http://127.0.0.1:${port}`;
  walk = await startDemoWalk({ SIMULATORS_PORT_CHAIN: String(port), DEMO_FIRST_ACTS: '1' });
});
afterAll(() => walk?.end());

/** Traders who pay at once do so within this, and their payments are final. */
const PAYING_MS = 25_000;

function openOwner() {
  const { port, password } = JSON.parse(readFileSync(join(walk.dataDir, 'postgres-access.json'), 'utf8'));
  return `postgres://copydesk:${password}@127.0.0.1:${port}/copydesk`;
}

async function rows<R extends pg.QueryResultRow>(text: string): Promise<R[]> {
  const client = new pg.Client({ connectionString: openOwner(), options: '-c copydesk.scope=all' });
  await client.connect();
  try {
    return (await client.query<R>(text)).rows;
  } finally {
    await client.end();
  }
}
const count = async (text: string) =>
  Number((await rows<{ n: string }>(`SELECT count(*) AS n ${text}`))[0]?.n);
const underWay = () =>
  count(`FROM payout WHERE distribution_id IS NOT NULL AND status NOT IN ('distributed', 'failed')`);

test('the seeded world is consistent', async () => {
  await walk.until(
    'the books of imported payments are open',
    async () => (await count('FROM trader WHERE books_opened_at IS NULL')) === 0,
  );
  expect(await count(`FROM invoice WHERE off_platform_units > 0`), 'its chain holds what the books say').toBe(
    0,
  );
  expect(
    await count(`FROM payout WHERE distribution_id IS NULL AND status NOT IN ('distributed', 'failed')`),
  ).toBe(0);
  await walk.until('payouts of the first day', async () => (await count('FROM distribution')) >= 3);
  expect(
    await count(`FROM community c WHERE c.is_archived AND EXISTS (SELECT FROM trader t
      WHERE t.community_id = c.id AND t.aum > 0)`),
    'archived communities have no AUM',
  ).toBe(0);
  expect(
    await count(`FROM community c WHERE NOT EXISTS (SELECT FROM trader t WHERE t.community_id = c.id)`),
  ).toBe(1);
  for (const [what, condition] of [
    ['tips', `payable WHERE recipient_type = 'tip'`],
    ['referrers of traders', `payable WHERE recipient_type = 'trader_referrer'`],
    ['invoices of bots', `invoice WHERE invoice_type = 'exchange_bot'`],
    ['an invoice without provider', `invoice WHERE provider_id IS NULL AND invoice_type = 'regular'`],
    ['settings with a history', `audit_entry WHERE action = 'community.settings_changed'`],
  ])
    expect(await count(`FROM ${condition}`), what).toBeGreaterThan(0);
});

test('the first day leaves an order, an address, a referrer and words of owners to decide about', async () => {
  await walk.until('what an owner said', async () => (await count('FROM payout_address_word')) === 2);
  expect(
    await rows(`SELECT a.owner_kind, w.kind AS word, a.released_by FROM payout_address_change a
      LEFT JOIN payout_address_word w ON w.change_id = a.id
      WHERE a.changed_by_id <> 'owner' ORDER BY a.owner_kind, w.kind`),
  ).toEqual([
    { owner_kind: 'community', word: null, released_by: null },
    { owner_kind: 'trader', word: 'confirmed', released_by: 'its owner by Telegram' },
    { owner_kind: 'trader', word: 'not_me', released_by: null },
    { owner_kind: 'trader_referrer', word: null, released_by: null },
  ]);
  expect(await rows(`SELECT act, state, needs FROM money_order WHERE state = 'awaiting_approval'`)).toEqual([
    { act: 'invoices_paid_off_platform', state: 'awaiting_approval', needs: ['above_limit'] },
  ]);
});

test('invoicing, paying and paying out leave no wallet frozen, every payout final, and books that agree', async () => {
  await walk.ask('POST', '/api/invoices/runs', {});
  await walk.until('the run', async () => (await count(`FROM invoicing_run WHERE state = 'running'`)) === 0);
  await walk.until('a payment', async () => (await count('FROM deposit')) > 0);
  await sleep(PAYING_MS);
  const { data } = await walk.ask<{ data: { id: string }[] }>('GET', '/api/super-admin/communities');
  let ordered = 0;
  for (const { id } of data) {
    const { success } = await walk.ask<{ success: boolean }>(
      'POST',
      `/api/super-admin/communities/${id}/distribute`,
      {},
    );
    if (success) ordered += 1;
  }
  expect(ordered).toBeGreaterThan(0);
  await walk.until('all payouts are final', async () => (await underWay()) === 0);

  expect(
    await rows(`SELECT address, frozen_because FROM chain_wallet WHERE frozen_because IS NOT NULL`),
  ).toEqual([]);
  expect(
    await rows(`SELECT id, status, problem FROM payout
      WHERE distribution_id IS NOT NULL AND status <> 'distributed'`),
  ).toEqual([]);
  expect(
    Number((await rows<{ sum: string }>('SELECT coalesce(sum(amount), 0) AS sum FROM posting'))[0]?.sum),
  ).toBe(0);
  const pool = createPool({ url: openOwner(), applicationName: 'test-reconciliation' });
  const db = createDatabase({ pool, auditKey: Buffer.alloc(32, 1), now: () => new Date() });
  try {
    const differing = await reconcileWallets({
      db,
      log: pino({ level: 'silent' }),
      now: () => new Date(),
      chain: createChainSender({ rpcUrls: [chainUrl], tokenAddress: DEMO_TOKEN_ADDRESS, timeoutMs: 5_000 }),
      chainId: 56,
      tokenAddress: DEMO_TOKEN_ADDRESS.toLowerCase(),
    });
    expect(differing).toBe(0);
  } finally {
    await db.close();
  }
});
