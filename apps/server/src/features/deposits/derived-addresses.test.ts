import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deriveAll } from '../../../../../tests/support/world/derive-all.ts';
import {
  createInvoicingWorld,
  type InvoicingWorld,
} from '../../../../../tests/support/world/invoicing-world.ts';
import { createWalletKeys } from '../../integrations/chain/wallet-keys.ts';
import { checkAddresses, deriveAddresses, nextIndexes } from './derived-addresses.ts';

const keys = createWalletKeys(randomBytes(32));
const THIEF = '0x00000000000000000000000000000000000bad01';
let world: InvoicingWorld;
beforeAll(async () => {
  world = await createInvoicingWorld();
});
afterAll(() => world?.close());

test('every trader and a thousand indexes to come have an address, and one of another seed is counted', async () => {
  const [trader] = await world.owner<{ id: string; index: number }>(
    'SELECT id, deposit_index AS index FROM trader ORDER BY deposit_index LIMIT 1',
  );
  await world.owner('UPDATE trader SET deposit_address = NULL');
  await world.owner('UPDATE trader SET deposit_address = $2 WHERE id = $1', [trader?.id, THIEF]);
  const deps = { db: world.db, log: world.log, keys };
  await deriveAll(deps);
  expect(await checkAddresses(deps)).toBe(1);
  await world.owner('UPDATE trader SET deposit_address = NULL');
  expect(await checkAddresses(deps)).toBe(0);
  const [found] = await world.owner(`SELECT count(*)::int AS count, min(deposit_index) AS first,
    max(deposit_index) - (SELECT max(deposit_index) FROM trader) AS ahead FROM deposit_address`);
  const [all] = await world.owner(
    'SELECT max(deposit_index) - min(deposit_index) + 1001 AS count FROM trader',
  );
  expect(found).toEqual({ count: all?.count, first: trader?.index, ahead: 1_000 });
  // Everything is derived: nothing is done again.
  expect(await deriveAddresses(deps)).toBe(0);
});

test('the API gives a trader the address of its index, and neither another one nor a second', async () => {
  const [trader] = await world.owner<{ id: string; index: number }>(
    'SELECT id, deposit_index AS index FROM trader ORDER BY deposit_index DESC LIMIT 1',
  );
  const own = keys.addressOf({ role: 'deposit', keyIndex: trader?.index ?? 0 });
  const next = keys.addressOf({ role: 'deposit', keyIndex: (trader?.index ?? 0) + 1 });
  const give = (address: string | null) =>
    world.apiDb.pool.connect().then(async (client) => {
      try {
        await client.query(
          "BEGIN; SELECT set_config('role', 'copydesk_app', true), set_config('copydesk.scope', 'all', true)",
        );
        await client.query('UPDATE trader SET deposit_address = $2 WHERE id = $1', [trader?.id, address]);
        await client.query('COMMIT');
      } catch (error) {
        await client.query('ROLLBACK');
        throw error;
      } finally {
        client.release();
      }
    });
  for (const address of [THIEF, next, own.toLowerCase()])
    await expect(give(address)).rejects.toThrow('the one that a worker derived');
  await give(own);
  for (const address of [THIEF, next, null])
    await expect(give(address)).rejects.toThrow('derived by workers');
});

test.each([
  ['nothing yet', { first: 1, last: 3, low: null, high: null }, [4, 103]],
  ['a part ahead', { first: 1, last: 3, low: 4, high: 103 }, [104, 203]],
  ['all ahead', { first: 1, last: 3, low: 4, high: 1_003 }, [3, 1]],
  ['all', { first: 1, last: 3, low: 1, high: 1_003 }, []],
  ['traders since', { first: 1, last: 2_000, low: 1, high: 1_003 }, [1_004, 1_103]],
  ['no trader', { first: 1, last: 0, low: null, high: null }, [1, 100]],
])('the next of %s', (_what, range, ends) => {
  const next = nextIndexes(range);
  expect([next[0], next.at(-1)].filter((end) => end !== undefined)).toEqual(ends);
});
