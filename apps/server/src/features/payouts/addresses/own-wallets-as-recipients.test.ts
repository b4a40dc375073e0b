import { getAddress } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asOwner } from '../../../../../../tests/support/owner.ts';
import { send } from '../../../../../../tests/support/send.ts';
import { createTestApp, type TestApp } from '../../../../../../tests/support/test-app.ts';

// A share that is paid to one of our own wallets would return as the payment of a trader's invoice.

let product: TestApp;
let staff: string;
let traderId: string;
let providerId: string;
const TOKEN = `0x${'5'.repeat(40)}`;
beforeAll(async () => {
  product = await createTestApp();
  staff = await product.signIn('staff');
  const [trader] = await asOwner(
    product.ownerUrl,
    `SELECT t.id, t.selected_provider_id FROM trader t WHERE t.selected_provider_id =
       (SELECT id FROM provider ORDER BY lower(name), id LIMIT 1) LIMIT 1`,
  );
  traderId = trader?.id;
  providerId = trader?.selected_provider_id;
  await asOwner(
    product.ownerUrl,
    `INSERT INTO chain_cursor (chain_id, token_address, block_number, block_hash)
     VALUES (56, '${TOKEN}', 1, '0x' || repeat('a', 64))`,
  );
});
afterAll(() => product.close());

const change = (external_wallet_address: string, as: string) =>
  send(
    product.app,
    'PATCH /api/traders/{id}',
    { params: { id: traderId }, body: { external_wallet_address } },
    as,
  );

test('neither staff nor a super admin can have a share paid to our own wallets or the token', async () => {
  const [ours] = await asOwner<Record<string, string>>(
    product.ownerUrl,
    `SELECT
       (SELECT deposit_address FROM trader WHERE id = $1) AS own_deposit,
       (SELECT t.deposit_address FROM trader t WHERE t.deposit_address IS NOT NULL AND NOT EXISTS (
          SELECT FROM trader_provider s WHERE s.trader_id = t.id AND s.provider_id = $2)
          AND t.selected_provider_id <> $2 LIMIT 1) AS foreign_deposit,
       (SELECT c.internal_wallet_address FROM community c WHERE c.internal_wallet_address IS NOT NULL AND NOT EXISTS (
          SELECT FROM community_provider l WHERE l.community_id = c.id AND l.provider_id = $2) LIMIT 1) AS foreign_wallet,
       (SELECT proxy_address FROM pooled_account LIMIT 1) AS pool`,
    [traderId, providerId],
  );
  const addresses = { ...ours, token: TOKEN };
  expect(Object.values(addresses)).not.toContain(null);
  for (const as of [staff, await product.signIn('super')])
    for (const [name, address] of Object.entries(addresses))
      for (const written of [getAddress(address), address.toLowerCase()]) {
        const answer = await change(written, as);
        expect([name, answer.json().details]).toEqual([
          name,
          [
            {
              path: 'external_wallet_address',
              message: 'Invalid input: this address belongs to the platform',
            },
          ],
        ]);
      }
  expect((await change(`0x${'7'.repeat(40)}`, staff)).statusCode).toBe(200);
});

test('the check does not widen the scope of the rest of the transaction', async () => {
  const countAfter = (scope: string) =>
    asOwner(
      product.ownerUrl,
      `SET LOCAL ROLE copydesk_app; DO $$ BEGIN
         PERFORM set_config('copydesk.scope', '${scope}', true);
         PERFORM app.is_platform_address('${TOKEN}');
         IF EXISTS (SELECT FROM community) THEN RAISE 'communities are visible'; END IF;
       END $$`,
    );
  await expect(countAfter('all')).rejects.toThrow('communities are visible');
  await countAfter('');
});
