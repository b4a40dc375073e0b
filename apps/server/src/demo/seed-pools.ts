import { readFile } from 'node:fs/promises';
import {
  demoPoolAccount,
  demoPoolAddress,
  demoProxyWallet,
  ownerTelegramUserIdOf,
} from '@copydesk/simulators/world';
import type pg from 'pg';
import { type PoolKeySealer, sealPoolKey } from '../features/pools/keys/pool-key-box.ts';

/** The pool whose trading an operator pauses and resumes. */
const WITHOUT_BOT = 3;

interface SeededPool {
  id: string;
  community_id: string;
  number: number;
}

/**
 * Seeds pools with members, cycles and books, and gives them the addresses of the demo world's seed and the accounts of
 * its exchange.
 * @param client within the transaction of the seed
 * @param sealer seals their keys; without it no pool can be read
 */
export async function seedPools(client: pg.Client, sealer: PoolKeySealer | null): Promise<void> {
  await client.query(await readFile(new URL('./seed-pools.sql', import.meta.url), 'utf8'));
  await setAddresses(client, demoProxyWallet, {
    numbers: 'SELECT proxy_index AS number FROM pooled_account',
    update:
      'UPDATE pooled_account SET proxy_address = n.address FROM numbered n WHERE proxy_index = n.number',
  });
  await setAddresses(client, demoPoolAddress, {
    numbers: 'SELECT deposit_index AS number FROM pool_member',
    update:
      'UPDATE pool_member SET deposit_address = n.address FROM numbered n WHERE deposit_index = n.number',
  });
  const { rows: pools } = await client.query<SeededPool>(
    'SELECT id, community_id, proxy_index AS number FROM pooled_account ORDER BY proxy_index',
  );
  for (const pool of pools) await connect(client, sealer, pool);
}

async function connect(
  client: pg.Client,
  sealer: PoolKeySealer | null,
  { id, community_id: communityId, number }: SeededPool,
): Promise<void> {
  const { uid, credentials, depositAddress } = demoPoolAccount(number);
  await client.query(
    `UPDATE pooled_account SET bybit_uid = $2, bybit_deposit_address = $3, bybit_deposit_address_from = created_at,
       has_bot = proxy_index <> $4 WHERE id = $1`,
    [id, uid, depositAddress, WITHOUT_BOT],
  );
  await client.query('UPDATE community SET owner_telegram_id = $2 WHERE id = $1', [
    communityId,
    ownerTelegramUserIdOf(number),
  ]);
  for (const row of sealer ? await sealPoolKey(sealer, id, credentials) : [])
    await client.query(
      `INSERT INTO pool_key (pooled_account_id, field, version, ciphertext, recipient, fingerprint)
       VALUES ($1, $2, $3, $4, $5, $6)`,
      [id, row.field, row.version, row.ciphertext, row.recipient, row.fingerprint],
    );
}

async function setAddresses(
  client: pg.Client,
  addressAt: (number: number) => string,
  { numbers, update }: { numbers: string; update: string },
): Promise<void> {
  const { rows } = await client.query<{ number: number }>(numbers);
  const found = rows.map(({ number }) => number);
  await client.query(
    `WITH numbered AS (SELECT * FROM unnest($1::int[], $2::text[]) n (number, address)) ${update}`,
    [found, found.map(addressAt)],
  );
}
