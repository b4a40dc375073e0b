import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newAddress } from '../../../../../../tests/support/world/addresses.ts';
import {
  createOwingWorld,
  type OwingCommunity,
  type OwingWorld,
} from '../../../../../../tests/support/world/owing-world.ts';
import { expectSoundDistributions } from '../../../../../../tests/support/world/sound-distributions.ts';
import { usdt } from '../../../../../../tests/support/world/usdt.ts';

let world: OwingWorld;
let community: OwingCommunity;
beforeAll(async () => {
  world = await createOwingWorld();
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
/** Another super admin releases what waits, in one order. */
async function releaseAll(): Promise<void> {
  const { body } = await world.ask('GET /api/super-admin/payout-addresses', { query: {} }, {}, world.other);
  const ids = body.data.filter(({ can_release }) => can_release).map(({ change_id }) => change_id);
  const released = await world.ask(
    'POST /api/super-admin/payout-addresses/release',
    { body: { change_ids: ids } },
    {},
    world.other,
  );
  expect(released).toMatchObject({ status: 200, body: { data: { released: ids.length } } });
}
const age = (hours: number) =>
  world.owner(`UPDATE payout_address_change SET changed_at = now() - make_interval(hours => $1)`, [hours]);

test('an address that comes with the community, or that the owner of the database sets, is paid to at once', async () => {
  await world.owner('UPDATE community SET external_wallet_address = $2 WHERE id = $1', [
    community.id,
    newAddress(),
  ]);
  expect(await world.pending(community.id)).toMatchObject({ totalAmount: '100', held: [] });
});

test('a changed address is not paid to for a day, nor before its release; everyone else is', async () => {
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
  // Never by time alone.
  await age(25);
  expect(await world.pending(community.id)).toMatchObject({
    totalAmount: '0',
    held: [{ awaitsRelease: true, canRelease: false }],
  });
  await releaseAll();
  expect(await world.pending(community.id)).toMatchObject({ totalAmount: '5', held: [] });
  await expectSoundDistributions(world);
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

test('the community shows when its addresses changed, and who may release them', async () => {
  const listed = (as?: string) =>
    world
      .ask('GET /api/super-admin/communities/{id}/payout-addresses', { params: { id: community.id } }, {}, as)
      .then(({ body }) => body.data);
  expect(await listed()).toEqual([]);
  const address = newAddress();
  await change({ external_wallet_address: address });
  const [mine] = await listed();
  expect(mine).toMatchObject({ recipient_type: 'community', address, released_by: null, can_release: false });
  expect(Date.parse(mine?.payable_from ?? '') - Date.parse(mine?.changed_at ?? '')).toBe(24 * 3_600_000);
  expect(await listed(world.other)).toMatchObject([{ can_release: true, change_id: mine?.change_id }]);
  await release(mine?.change_id as string, world.other);
  const [released] = await listed();
  // The waiting time runs besides.
  expect(released).toMatchObject({ awaits_release: false, change_id: null, can_release: false });
  expect(released?.payable_from).not.toBeNull();
  expect(released?.released_by).not.toBeNull();
  await change({ referrer_wallet_address: newAddress() });
  await age(25);
  expect(await listed(world.other)).toMatchObject([
    { recipient_type: 'community', payable_from: null },
    { recipient_type: 'community_referrer', awaits_release: true, can_release: true },
  ]);
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
  expect((await world.pending(community.id)).held).toMatchObject([{ awaitsRelease: false, changeId: null }]);
  await age(25);
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

describe('who referred a trader', () => {
  /** A trader who paid 100, of which 20 are of whoever referred it. */
  async function referred(by: (referrer: { id: string; code: string }) => Promise<unknown>) {
    await world.owner('UPDATE community SET trader_referral_percentage = 20 WHERE id = $1', [community.id]);
    const place = { community_id: community.id, selected_provider_id: community.providerId };
    const address = newAddress();
    const referrer = await world.addTrader({ ...place, external_wallet_address: address });
    const [row] = await world.owner<{ code: string }>(
      'SELECT referral_code AS code FROM trader WHERE id = $1',
      [referrer.id],
    );
    const trader = await world.addTrader(place);
    await by({ id: trader.id, code: row?.code as string });
    await world.addPositions(trader, '200');
    await world.invoice();
    await world.pay(trader.id, usdt(100));
    return { address, traderId: trader.id, referrerId: referrer.id };
  }
  const refer = ({ id, code }: { id: string; code: string }, as = world.token) =>
    world.ask('POST /api/traders/referral', { body: { trader_id: id, referral_code: code } }, {}, as);

  test('is released like an address: until then the share waits, and the rest is paid', async () => {
    const { address, traderId, referrerId } = await referred(async (by) =>
      expect((await refer(by)).status).toBe(200),
    );
    const held = await heldLine();
    expect(held).toMatchObject({
      recipientAddress: address,
      recipientType: 'trader_referrer',
      reason: 'referrer_set',
      awaitsRelease: true,
      canRelease: false,
    });
    const paid = await world.distribute(community.id);
    expect(paid.status).toBe(200);
    expect((await world.payoutsOf(community.id)).map(({ recipient_type: type }) => type)).not.toContain(
      'trader_referrer',
    );
    const waiting = await world.ask('GET /api/super-admin/payout-addresses', { query: {} }, {}, world.other);
    const [own] = waiting.body.data.filter(({ owner_kind: kind }) => kind === 'trader_referrer');
    expect(own).toMatchObject({ referrer: expect.any(String), address, refusal: null });
    const seen = (as: string) =>
      world.ask('GET /api/traders/{id}/referrals', { params: { id: traderId }, query: {} }, {}, as);
    expect((await seen(world.token)).body.meta.referrer_awaits_release).toBe(true);

    const id = own?.change_id as string;
    const one = () =>
      world.ask('GET /api/super-admin/payout-addresses', { query: { change_id: id } }, {}, world.other);
    expect((await one()).body).toMatchObject({ data: [own], meta: { total: 1 } });
    expect(await release(id)).toMatchObject({ status: 403, body: { error: 'own_release' } });
    expect(await release(id, world.other)).toMatchObject({
      status: 200,
      body: { data: { id, address: null } },
    });
    expect((await one()).body).toMatchObject({ data: [], meta: { total: 0 } });
    expect((await seen(world.token)).body.meta.referrer_awaits_release).toBe(false);
    expect((await world.auditOf(traderId)).at(-1)).toMatchObject({
      action: 'trader.referrer_released',
      after: { referred_by_trader_id: referrerId },
    });
    expect((await heldLine())?.reason).toBe('referrer_set');
    await age(25);
    expect(await heldLine()).toBeUndefined();
    expect((await world.distribute(community.id)).status).toBe(200);
    expect((await world.payoutsOf(community.id)).map(({ recipient_type: type }) => type)).toContain(
      'trader_referrer',
    );
    await expectSoundDistributions(world);
  });

  test('of the owner of the database, and of before, is released', async () => {
    await referred(async ({ id, code }) => {
      await world.owner(
        'UPDATE trader SET referred_by_trader_id = (SELECT id FROM trader WHERE referral_code = $2) WHERE id = $1',
        [id, code],
      );
    });
    expect(await heldLine()).toBeUndefined();
  });

  test('cannot be paid before by the login of the API either', async () => {
    const { address } = await referred(refer);
    const asApplication = (text: string) =>
      world.owner(`SET LOCAL ROLE copydesk_app; SELECT set_config('copydesk.scope', 'all', true); ${text}`);
    await expect(
      asApplication(`
        INSERT INTO distribution (id, community_id, state, amount_units, requested_by_id, requested_by)
        VALUES (md5('d')::uuid, '${community.id}', 'approved', 1, 'x', 'x');
        INSERT INTO payout (id, community_id, distribution_id, recipient_type, recipient_address, amount_units,
          ordered_at, ordered_by_id)
        VALUES (md5('p')::uuid, '${community.id}', md5('d')::uuid, 'trader_referrer', '${address}', 1, now(), 'x');
        UPDATE payable SET payout_id = md5('p')::uuid, recipient_address = '${address}'
        WHERE community_id = '${community.id}' AND recipient_type = 'trader_referrer'`),
    ).rejects.toThrow(/present address of its recipient, after its hold/);
  });
});

test('the application cannot release an address by its own hand, nor hide a change', async () => {
  await change({ external_wallet_address: newAddress() });
  const asApplication = (text: string) =>
    world.owner(`SET LOCAL ROLE copydesk_app; SELECT set_config('copydesk.scope', 'all', true); ${text}`);
  await expect(asApplication('DELETE FROM payout_address_change')).rejects.toThrow(/permission denied/);
  await expect(asApplication(`UPDATE payout_address_change SET changed_at = 'epoch'`)).rejects.toThrow(
    /permission denied/,
  );
  const release = (by: string) =>
    asApplication(
      `UPDATE payout_address_change SET released_at = 'epoch', released_by_id = ${by}, released_by = 'me'`,
    );
  for (const by of [
    'changed_by_id',
    "'nobody'",
    `(SELECT id FROM identity."user" WHERE email = 'staff@demo.example')`,
  ])
    await expect(release(by)).rejects.toThrow(/released by an independent/);
});

describe('a failed payout', () => {
  const resend = (id: string, as?: string) =>
    world.ask(
      'POST /api/sweep-operations/{id}/resend',
      { params: { id }, body: { reason: 'The address was mistyped' } },
      {},
      as,
    );
  const detail = async (id: string) =>
    (await world.ask('GET /api/sweep-operations/{id}', { params: { id } })).body.data;

  const sumsOfCommunity = async () =>
    (
      await world.ask('GET /api/sweep-operations/summary', { query: { community_id: community.id } })
    ).body.data.find(({ recipient_type }: { recipient_type: string }) => recipient_type === 'community');

  /** The payout to the community, cancelled before anything was signed for it. */
  async function failed(): Promise<string> {
    await world.distribute(community.id);
    const own = (await world.payoutsOf(community.id)).find(
      ({ recipient_type }) => recipient_type === 'community',
    );
    await world.ask('POST /api/sweep-operations/{id}/cancel', { params: { id: own?.id as string } });
    return own?.id as string;
  }

  test('is sent to the new address once that may be paid to, and never again to the old one', async () => {
    const id = await failed();
    expect(await detail(id)).toMatchObject({ can_retry: true, can_resend: true, current_address: null });
    const address = newAddress();
    await change({ external_wallet_address: address });
    const { current_address_payable_from: from, ...seen } = await detail(id);
    expect(seen).toMatchObject({ current_address: address });
    expect(Math.abs(Date.parse(from ?? '') - Date.now() - 24 * 3_600_000)).toBeLessThan(60_000);
    const before = await world.counted();
    const held = await resend(id);
    expect(held).toMatchObject({ status: 409, body: { error: 'address_held' } });
    expect(held.body.message).toMatch(/^This address was set recently. It is paid from \d{4}-/);
    expect(await world.counted()).toEqual(before);
    await age(25);
    expect((await resend(id)).body.error).toBe('address_held');
    await releaseAll();
    expect(await detail(id)).toMatchObject({
      current_address: address,
      current_address_payable_from: null,
    });
    // Its author alone does not have it paid either.
    const { updated_at } = await detail(id);
    const sums = await sumsOfCommunity();
    const { body } = await resend(id, world.other);
    expect(body.data).toMatchObject({ total_amount: '5', payouts: [{ recipientAddress: address }] });
    expect(await detail(id)).toMatchObject({
      status: 'failed',
      problem: 'sent_again',
      can_retry: false,
      can_resend: false,
      payables: [],
      // It failed when it failed, and what is owed counts once.
      updated_at,
    });
    const { replaced_by } = await detail(id);
    expect(await detail(replaced_by as string)).toMatchObject({
      recipient_address: address,
      replaced_by: null,
      total_amount: '5',
    });
    const after = await sumsOfCommunity();
    expect(after).toMatchObject({
      total_amount: sums?.total_amount,
      count: sums?.count,
      failed: { amount: '0', count: 0 },
      replaced: { amount: '5', count: 1 },
    });
    expect(await resend(id)).toMatchObject({ body: { error: 'payout_not_safe' } });
    for (const act of ['retry', 'cancel'] as const)
      expect(await world.ask(`POST /api/sweep-operations/{id}/${act}`, { params: { id } })).toMatchObject({
        body: { error: 'payout_not_safe' },
      });
    const paying = (await world.transfersOf(community.id)).filter(
      ({ kind, state, to_address }) =>
        kind === 'distribute' && state === 'planned' && [address, community.external].includes(to_address),
    );
    expect(paying).toMatchObject([{ to_address: address, units: usdt(5).toString() }]);
    await expectSoundDistributions(world);
  });

  test('says what the owner of the new address said of it, for as long as it is held', async () => {
    await world.owner('UPDATE community SET trader_referral_percentage = 20 WHERE id = $1', [community.id]);
    const place = { community_id: community.id, selected_provider_id: community.providerId };
    const referrer = await world.addTrader({ ...place, external_wallet_address: newAddress() });
    const trader = await world.addTrader({ ...place, referred_by_trader_id: referrer.id });
    await world.addPositions(trader, '200');
    await world.invoice();
    await world.pay(trader.id, usdt(100));
    await world.distribute(community.id);
    const id = (await world.payoutsOf(community.id)).find(
      ({ recipient_type: type }) => type === 'trader_referrer',
    )?.id as string;
    await world.ask('POST /api/sweep-operations/{id}/cancel', { params: { id } });
    const address = newAddress();
    await world.ask('PATCH /api/traders/{id}', {
      params: { id: referrer.id },
      body: { external_wallet_address: address },
    });
    expect(await detail(id)).toMatchObject({ current_address: address, current_address_owner_word: null });

    // As a worker stores what it read from the platform's bot.
    await world.owner(
      `UPDATE trader SET telegram_user_id = '4242', telegram_set_at = now() - interval '31 days' WHERE id = $1`,
      [referrer.id],
    );
    await world.owner('INSERT INTO platform_bot_reading (telegram_id, counts_from) VALUES (77, now())');
    await world.owner(
      `INSERT INTO payout_address_word (change_id, kind, trader_id, address, bot_telegram_id, update_id,
         telegram_user_id)
       SELECT id, 'not_me', $1::uuid, address, 77, 1, 4242 FROM payout_address_change
       WHERE owner_kind = 'trader' AND owner_id = $1::uuid::text`,
      [referrer.id],
    );
    expect(await detail(id)).toMatchObject({
      current_address: address,
      current_address_awaits_release: true,
      current_address_owner_word: { kind: 'not_me' },
    });
    await releaseAll();
    await age(25);
    expect(await detail(id)).toMatchObject({ current_address: address, current_address_owner_word: null });
  });

  test('that was imported is ordered here when a person says that it was not paid', async () => {
    const id = await failed();
    // As if it had come with an import: no distribution, and no transfer.
    await world.owner(`DELETE FROM transfer WHERE payout_id = $1`, [id]);
    await world.owner(
      `UPDATE payout SET distribution_id = NULL, ordered_at = NULL, ordered_by_id = NULL WHERE id = $1`,
      [id],
    );
    expect(await detail(id)).toMatchObject({ is_imported: true, can_retry: false, can_resend: true });
    expect((await resend(id)).body.data).toMatchObject({ total_amount: '5' });
    expect((await resend(id)).body).toMatchObject({ error: 'payout_not_safe' });
    await expectSoundDistributions(world);
  });

  test('is sent again once, by however many at once', async () => {
    const id = await failed();
    const answers = await Promise.all(Array.from({ length: 10 }, () => resend(id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([
      200,
      ...Array.from({ length: 9 }, () => 409),
    ]);
    await expectSoundDistributions(world);
  });
});
