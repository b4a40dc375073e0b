import { readFile } from 'node:fs/promises';
import { demoPoolAddress, demoProxyWallet } from '@copydesk/simulators/world';
import type pg from 'pg';

/**
 * Seeds pools with members, cycles and books, and gives them the addresses of the demo world's seed.
 * @param client within the transaction of the seed
 */
export async function seedPools(client: pg.Client): Promise<void> {
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
