import type { Scope } from '@copydesk/domain/access';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  listViews,
  saveView,
} from '../../apps/server/src/features/settings/saved-views/saved-views.store.ts';
import { beginTransaction } from '../../apps/server/src/platform/db/begin.ts';
import { asOwner } from '../support/owner.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';

// A transaction in the scope of some providers writes rows that name its own provider and another provider's trader or
// community. Each would bring these into the scope.

const ACTOR = { kind: 'user', id: 'me', name: 'Me' } as const;

let product: TestApp;
let provider: string;
let foreign: { trader: string; community: string; account: string; payout: string; invoice: string };
beforeAll(async () => {
  product = await createTestApp({ scale: 0.1, filtersScope: false });
  const one = async (text: string, values: unknown[] = []) =>
    (await asOwner<{ id: string }>(product.ownerUrl, text, values))[0]?.id ?? '';
  provider = await one("SELECT id FROM provider WHERE name = 'aurora'");
  const trader = await one(
    `SELECT id FROM trader t WHERE NOT EXISTS (
       SELECT FROM trader_provider s WHERE s.trader_id = t.id AND s.provider_id = $1)
     AND EXISTS (SELECT FROM exchange_account a WHERE a.trader_id = t.id) LIMIT 1`,
    [provider],
  );
  await asOwner(
    product.ownerUrl,
    'DELETE FROM community_provider WHERE provider_id = $1 AND community_id IN (SELECT id FROM community ORDER BY id LIMIT 1)',
    [provider],
  );
  foreign = {
    trader,
    community: await one(
      `SELECT id FROM community c WHERE NOT EXISTS (
         SELECT FROM community_provider l WHERE l.community_id = c.id AND l.provider_id = $1) LIMIT 1`,
      [provider],
    ),
    account: await one('SELECT id FROM exchange_account WHERE trader_id = $1 LIMIT 1', [trader]),
    payout: await one(
      `SELECT id FROM payout o WHERE NOT EXISTS (
         SELECT FROM payable p WHERE p.payout_id = o.id AND p.provider_id = $1) LIMIT 1`,
      [provider],
    ),
    invoice: await one('SELECT id FROM invoice WHERE provider_id = $1 LIMIT 1', [provider]),
  };
});
afterAll(() => product.close());

/** Runs one statement in the scope, as stores do, and answers how many rows it met. */
async function asStaff(text: string): Promise<number> {
  const client = await product.db.pool.connect();
  try {
    await beginTransaction(client, 'BEGIN', { scope: { kind: 'providers', providerIds: [provider] } });
    const { rowCount } = await client.query(text);
    await client.query('COMMIT');
    return rowCount ?? 0;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}
const sees = async (table: string, id: string) =>
  (await asStaff(`SELECT FROM ${table} WHERE id = '${id}'`)) > 0;

test('the foreign things of these tests are there, and foreign', async () => {
  for (const id of Object.values(foreign)) expect(id).not.toBe('');
  expect(await sees('trader', foreign.trader)).toBe(false);
  expect(await sees('community', foreign.community)).toBe(false);
  expect(await sees('payout', foreign.payout)).toBe(false);
});

describe('is refused', () => {
  test('an exchange account of a foreign trader', async () => {
    await expect(
      asStaff(`INSERT INTO exchange_account (trader_id, provider_id, exchange, acc_uid)
        VALUES ('${foreign.trader}', '${provider}', 'bybit', 'pull')`),
    ).rejects.toThrow(/row-level security/);
    await expect(
      asStaff(`UPDATE exchange_account SET trader_id = '${foreign.trader}'
        WHERE id = (SELECT id FROM exchange_account LIMIT 1)`),
    ).rejects.toThrow(/row-level security/);
    expect(await sees('trader', foreign.trader)).toBe(false);
  });

  test('a link to a foreign community, and the change or end of any', async () => {
    await expect(
      asStaff(
        `INSERT INTO community_provider (community_id, provider_id) VALUES ('${foreign.community}', '${provider}')`,
      ),
    ).rejects.toThrow(/row-level security/);
    expect(await sees('community', foreign.community)).toBe(false);
    expect(await asStaff('DELETE FROM community_provider')).toBe(0);
    expect(await asStaff(`UPDATE community_provider SET community_id = '${foreign.community}'`)).toBe(0);
  });

  test('a trader in a foreign community', async () => {
    await expect(
      asStaff(`INSERT INTO trader (community_id, selected_provider_id, referral_code)
        VALUES ('${foreign.community}', '${provider}', 'pull')`),
    ).rejects.toThrow(/row-level security/);
  });

  test('a credential, or a reading, of a foreign account', async () => {
    await expect(
      asStaff(`INSERT INTO exchange_credential (account_id, provider_id, field, ciphertext, wrapped_key, master_key_id, masked, fingerprint)
        VALUES ('${foreign.account}', '${provider}', 'agent_private_key', '', '', '', '', '')`),
    ).rejects.toThrow(/row-level security/);
    await asOwner(product.ownerUrl, 'DELETE FROM account_reading WHERE account_id = $1', [foreign.account]);
    await expect(
      asStaff(`INSERT INTO account_reading (account_id, provider_id, exchange)
        VALUES ('${foreign.account}', '${provider}', 'bybit')`),
    ).rejects.toThrow(/row-level security/);
  });

  test('a share in a foreign payout', async () => {
    await expect(
      asStaff(`INSERT INTO payable (invoice_id, community_id, provider_id, recipient_type, recipient_address, amount_units, payout_id)
        SELECT '${foreign.invoice}', community_id, '${provider}', 'tip', '0x' || repeat('1', 40), 1, '${foreign.payout}'
        FROM invoice WHERE id = '${foreign.invoice}'`),
    ).rejects.toThrow(/row-level security/);
    expect(await sees('payout', foreign.payout)).toBe(false);
  });
});

test('staff still adds a trader and an account of its own', async () => {
  await asStaff(`INSERT INTO trader (community_id, selected_provider_id, referral_code)
    SELECT community_id, '${provider}', 'own' FROM community_provider LIMIT 1`);
  await asStaff(`INSERT INTO exchange_account (trader_id, provider_id, exchange, acc_uid)
    SELECT id, '${provider}', 'bybit', 'own' FROM trader WHERE referral_code = 'own'`);
  expect(
    await asOwner(product.ownerUrl, "SELECT account_count FROM trader WHERE referral_code = 'own'"),
  ).toEqual([{ account_count: 1 }]);
});

describe('kept filters', () => {
  const all: Scope = { kind: 'all' };
  const her = { kind: 'user', id: 'her', name: 'Her' } as const;

  test('are visible to their owner only, not to super admins', async () => {
    const view = { screen: 'invoices', query: '', layout: null, is_shared: false } as const;
    const by = { author: 'Her', scope: all };
    const saved = await product.db.write(all, her, (tx) =>
      saveView(tx, her.id, { ...view, name: 'Hers' }, by),
    );
    expect(await product.db.read(all, (tx) => listViews(tx, her.id, 'invoices'), her)).toHaveLength(1);
    // The statement names her; the transaction is another person's, or has no caller.
    expect(await product.db.read(all, (tx) => listViews(tx, her.id, 'invoices'), ACTOR)).toEqual([]);
    expect(await product.db.read(all, (tx) => listViews(tx, her.id, 'invoices'))).toEqual([]);
    const deleted = await product.db.write(all, ACTOR, (tx) =>
      tx.sql
        .deleteFrom('saved_view')
        .where('id', '=', saved?.id ?? '')
        .executeTakeFirst(),
    );
    expect(deleted.numDeletedRows).toBe(0n);
    await expect(
      product.db.write(all, ACTOR, (tx) => saveView(tx, her.id, { ...view, name: 'Planted' }, by)),
    ).rejects.toThrow(/row-level security/);
  });

  test('of a service with the id of a person are not that person’s', async () => {
    const service = { kind: 'service', id: 'her' } as const;
    expect(await product.db.read(all, (tx) => listViews(tx, 'her', 'invoices'), service)).toEqual([]);
  });
});
