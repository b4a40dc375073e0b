import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  createDistributionWorld,
  type DistributionWorld,
  expectSoundPayouts,
  newAddress,
  type OwingCommunity,
} from '../support/distributions.ts';

let world: DistributionWorld;
let community: OwingCommunity;
beforeAll(async () => {
  world = await createDistributionWorld();
}, 60_000);
afterAll(() => world.close());
beforeEach(async () => {
  community = await world.addCommunity();
  await world.addPaid(community, 100);
});

const change = (body: { external_wallet_address?: string; referrer_wallet_address?: string }, as?: string) =>
  world.ask('PATCH /api/communities/{id}', { params: { id: community.id }, body }, {}, as);
const release = (id: string, as?: string) =>
  world.ask('POST /api/super-admin/payout-addresses/{id}/release', { params: { id } }, {}, as);
const heldLine = async () => (await world.pending(community.id)).held[0];
const age = (hours: number) =>
  world.owner(`UPDATE payout_address_change SET changed_at = now() - make_interval(hours => $1)`, [hours]);

test('an address that comes with the community, or that the owner of the database sets, is paid to at once', async () => {
  await world.owner('UPDATE community SET external_wallet_address = $2 WHERE id = $1', [
    community.id,
    newAddress(),
  ]);
  expect(await world.pending(community.id)).toMatchObject({ totalAmount: '100', held: [] });
});

test('a changed address is not paid to for a day; everyone else is', async () => {
  const address = newAddress();
  expect((await change({ external_wallet_address: address })).status).toBe(200);
  const pending = await world.pending(community.id);
  expect(pending.totalAmount).toBe('95');
  expect(pending.held).toMatchObject([
    {
      recipientAddress: address,
      recipientType: 'community',
      amount: '5',
      reason: 'address_changed',
      canRelease: false,
    },
  ]);
  const from = Date.parse(pending.held[0]?.payableFrom ?? '');
  expect(Math.abs(from - Date.now() - 24 * 3_600_000)).toBeLessThan(60_000);
  expect(await world.distribute(community.id, { selectedRecipients: [address] })).toMatchObject({
    body: { error: 'recipients_changed' },
  });
  const { body } = await world.distribute(community.id);
  expect(body.data.total_amount).toBe('95');
  expect(
    await world.ask('POST /api/communities/{id}/withdraw', { params: { id: community.id }, body: {} }),
  ).toMatchObject({ body: { error: 'nothing_pending' } });
  await age(25);
  expect(await world.pending(community.id)).toMatchObject({ totalAmount: '5', held: [] });
  await expectSoundPayouts(world);
});

test('taking the change back, or changing again, begins a new day', async () => {
  await change({ external_wallet_address: newAddress() });
  await age(23);
  await change({ external_wallet_address: community.external });
  expect(await world.pending(community.id)).toMatchObject({
    totalAmount: '95',
    held: [{ recipientAddress: community.external }],
  });
  await age(23);
  await change({ external_wallet_address: '' });
  const again = newAddress();
  await change({ external_wallet_address: again });
  await age(2);
  expect(await heldLine()).toMatchObject({ recipientAddress: again, reason: 'address_changed' });
});

test('another super admin may release it, its author may not', async () => {
  await change({ external_wallet_address: newAddress() });
  const changeId = (await heldLine())?.changeId as string;
  expect(await release(changeId)).toMatchObject({ status: 403, body: { error: 'own_release' } });
  const seen = await world.ask(
    'GET /api/super-admin/communities/{id}/pending-distributions',
    { params: { id: community.id } },
    {},
    world.other,
  );
  expect(seen.body.held).toMatchObject([{ canRelease: true, changeId }]);
  expect((await release(changeId, world.other)).status).toBe(200);
  expect(await world.pending(community.id)).toMatchObject({ totalAmount: '100', held: [] });
  // What was released is this change: the next one waits again, and its release is another.
  await change({ external_wallet_address: newAddress() }, world.other);
  expect(await release(changeId)).toMatchObject({ status: 404 });
  expect((await world.pending(community.id)).totalAmount).toBe('95');
  expect((await world.auditOf(community.id)).map(({ action }) => action)).toContain(
    'payout_address.released',
  );
});

test('the address of a trader who referred others is held likewise', async () => {
  await world.owner('UPDATE community SET trader_referral_percentage = 20 WHERE id = $1', [community.id]);
  const referrer = await world.addTrader({
    community_id: community.id,
    selected_provider_id: community.providerId,
    external_wallet_address: newAddress(),
  });
  const trader = await world.addTrader({
    community_id: community.id,
    selected_provider_id: community.providerId,
    referred_by_trader_id: referrer.id,
  });
  await world.addPositions(trader, '200');
  await world.invoice();
  await world.pay(trader.id, 100n * 10n ** 18n);
  const address = newAddress();
  const changed = await world.ask('PATCH /api/traders/{id}', {
    params: { id: referrer.id },
    body: { external_wallet_address: address },
  });
  expect(changed.status).toBe(200);
  expect((await world.pending(community.id)).held).toMatchObject([
    { recipientAddress: address, recipientType: 'trader_referrer', reason: 'address_changed' },
  ]);
});

test('the application cannot release an address by its own hand, nor hide a change', async () => {
  await change({ external_wallet_address: newAddress() });
  const asApplication = (text: string) =>
    world.owner(`SET LOCAL ROLE copydesk_app; SELECT set_config('copydesk.scope', 'all', true); ${text}`);
  await expect(asApplication('DELETE FROM payout_address_change')).rejects.toThrow(/permission denied/);
  await expect(asApplication(`UPDATE payout_address_change SET changed_at = 'epoch'`)).rejects.toThrow(
    /permission denied/,
  );
  await expect(
    asApplication(
      `UPDATE payout_address_change SET released_at = now(), released_by_id = changed_by_id, released_by = 'me'`,
    ),
  ).rejects.toThrow(/check/);
});
