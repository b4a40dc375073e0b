import { afterAll, beforeAll, expect, test } from 'vitest';
import { send } from '../../../../../../tests/support/send.ts';
import { createTestApp, type TestApp } from '../../../../../../tests/support/test-app.ts';
import { addCommunity } from '../../../../../../tests/support/world/communities.ts';
import { type Owner, ownerOf } from '../../../../../../tests/support/world/rows.ts';
import { addBareTrader } from '../../../../../../tests/support/world/traders.ts';

let product: TestApp;
let superAdmin: string;
let owner: Owner;
beforeAll(async () => {
  product = await createTestApp({ scale: 0.02 });
  superAdmin = await product.signIn('super');
  owner = ownerOf(product.ownerUrl);
});
afterAll(() => product.close());

const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';

test('each part of a community is seen as it comes and goes', async () => {
  const id = await addCommunity(owner, []);
  await owner(
    'UPDATE community SET external_wallet_address = NULL, internal_wallet_address = NULL WHERE id = $1',
    [id],
  );
  const stateOf = async (step: string) => {
    const answer = await send(
      product.app,
      'GET /api/super-admin/communities/{id}/setup-checklist',
      { params: { id } },
      superAdmin,
    );
    const steps: { step: string; state: string; text: string }[] = answer.json().data;
    const { state, text } = steps.find((checked) => checked.step === step) ?? {};
    return `${state}: ${text}`;
  };
  expect(await stateOf('provider')).toMatch(/^missing/);
  expect(await stateOf('split')).toMatch(/^missing/);
  const [provider] = await owner<{ id: string; display_name: string }>(
    `UPDATE provider SET payout_address = NULL WHERE name = 'aurora' RETURNING id, display_name`,
  );
  await owner('INSERT INTO community_provider (community_id, provider_id) VALUES ($1, $2)', [
    id,
    provider?.id,
  ]);
  expect(await stateOf('provider')).toBe(`done: Traders can choose ${provider?.display_name}.`);
  expect(await stateOf('split')).toMatch(/^done/);
  await owner('UPDATE community SET split_percentage = 90 WHERE id = $1', [id]);
  expect(await stateOf('split')).toMatch(/^wrong: More than 100% .* Lower the split percentage\.$/);

  expect(await stateOf('payout_addresses')).toBe(
    `missing: Set an address for the community and ${provider?.display_name}: until then the shares wait.`,
  );
  await owner('UPDATE provider SET payout_address = $2 WHERE id = $1', [provider?.id, ADDRESS]);
  await owner('UPDATE community SET external_wallet_address = $2 WHERE id = $1', [id, ADDRESS]);
  // What the owner of the database sets is in the address book at once.
  expect(await stateOf('payout_addresses')).toMatch(/^done/);
  await owner(
    `INSERT INTO payout_address_change (owner_kind, owner_id, address, changed_by_id)
     VALUES ('community', $1, $2, 'someone')
     ON CONFLICT (owner_kind, owner_id) DO UPDATE SET released_at = NULL, released_by_id = NULL, released_by = NULL`,
    [id, ADDRESS],
  );
  expect(await stateOf('payout_addresses')).toMatch(
    /^wrong: The address of the community is not paid to yet/,
  );

  expect(await stateOf('wallet')).toMatch(/^missing/);
  await owner(`UPDATE community SET internal_wallet_address = '0x${'7'.repeat(40)}' WHERE id = $1`, [id]);
  expect(await stateOf('wallet')).toMatch(/^done/);

  expect(await stateOf('bot')).toMatch(/^missing/);
  await owner(
    `INSERT INTO exchange_bot (community_id, telegram_id, username, name, language, problem)
     VALUES ($1, 987654321, 'setup_bot', 'Set-up', 'en', 'refused')`,
    [id],
  );
  expect(await stateOf('bot')).toMatch(/^wrong/);
  await owner('UPDATE exchange_bot SET problem = NULL WHERE community_id = $1', [id]);
  expect(await stateOf('bot')).toMatch(/^done/);

  expect(await stateOf('subscription')).toBe('done: This server sells no subscriptions: none is needed.');
  expect(await stateOf('trader')).toMatch(/^missing/);
  await addBareTrader(owner, { community_id: id });
  expect(await stateOf('trader')).toMatch(/^done/);
});
