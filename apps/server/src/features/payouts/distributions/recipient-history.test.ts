import type { CallAnswer } from '@copydesk/contract';
import { MOST_PAID_COUNTED } from '@copydesk/domain/payouts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newAddress } from '../../../../../../tests/support/world/addresses.ts';
import {
  createOwingWorld,
  type OwingCommunity,
  type OwingWorld,
} from '../../../../../../tests/support/world/owing-world.ts';
import { usdt } from '../../../../../../tests/support/world/usdt.ts';

type PaidRecipient = CallAnswer<'GET /api/super-admin/distributions/{id}/recipients'>['data'][number];

let world: OwingWorld;
let community: OwingCommunity;
beforeAll(async () => {
  world = await createOwingWorld({ env: { APPROVAL_ABOVE_USDT: '99.99' } });
}, 60_000);
afterAll(() => world.close());
beforeEach(async () => {
  community = await world.addCommunity();
});

/** Payouts to an address that arrived, or another status, one a day up to now; imported, of any community. */
const addPayouts = (to: string, amounts: readonly number[], status = 'distributed') =>
  world.owner(
    `INSERT INTO payout (community_id, status, recipient_type, recipient_address, amount_units,
       distribute_transaction_hash, problem, updated_at)
     SELECT (SELECT id FROM community WHERE id <> $1 LIMIT 1), $2, 'community', $3, p.units,
       '0x' || lpad(md5(random()::text), 64, '0'), CASE WHEN $2 = 'failed' THEN 'sent_again' END,
       now() - make_interval(days => p.place::int)
     FROM unnest($4::numeric[]) WITH ORDINALITY AS p (units, place)`,
    [community.id, status, to, amounts.map((amount) => usdt(amount).toString())],
  );
async function planned(): Promise<Map<string, PaidRecipient>> {
  const { body } = await world.distribute(community.id, { dry_run: true });
  return new Map(body.data.recipients?.map((each) => [each.recipientAddress, each]));
}
const ofOwn = async () => (await planned()).get(community.external);

test('a plan says of each address whom it pays there and that it was never paid', async () => {
  await world.addPaid(community, 100);
  const { body } = await world.distribute(community.id, { dry_run: true });
  const { recipients, payouts } = body.data;
  expect(recipients?.map(({ recipientAddress }) => recipientAddress).sort()).toEqual(
    [...new Set(payouts.map(({ recipientAddress }) => recipientAddress))].sort(),
  );
  const [named] = await world.owner<{ community: string; provider: string }>(
    'SELECT c.name AS community, p.display_name AS provider FROM community c, provider p WHERE c.id = $1 AND p.id = $2',
    [community.id, community.providerId],
  );
  expect(await ofOwn()).toEqual({
    recipientAddress: community.external,
    owners: [named?.community],
    owner_count: 1,
    paid_count: 0,
    last_paid_at: null,
    most_amount: '5',
    usual_amount: null,
    address_changed_at: null,
    news: ['first_payment'],
  });
  const owners = recipients?.flatMap((each) => each.owners);
  expect(owners).toEqual(expect.arrayContaining([named?.provider, 'hexmount', 'sixk']));
});

test('payouts that arrived count in every community, and no others', async () => {
  await world.addPaid(community, 100);
  await addPayouts(community.external, [1, 2]);
  await addPayouts(community.external.toLowerCase(), [5]);
  await addPayouts(community.external, [1000], 'failed');
  await addPayouts(community.external, [1000], 'distributing');
  expect(await ofOwn()).toMatchObject({
    paid_count: 3,
    last_paid_at: expect.any(String),
    usual_amount: '2',
    news: ['above_usual'],
  });
});

test('two earlier payments have no usual amount', async () => {
  await world.addPaid(community, 100);
  await addPayouts(community.external, [1, 1]);
  expect(await ofOwn()).toMatchObject({ paid_count: 2, usual_amount: null, news: [] });
});

test('the last twelve say what is usual, and a long history is counted to its end of one hundred', async () => {
  await world.addPaid(community, 100);
  await addPayouts(community.external, [
    ...Array.from({ length: 12 }, () => 4),
    ...Array.from({ length: MOST_PAID_COUNTED }, () => 1),
  ]);
  expect(await ofOwn()).toMatchObject({ paid_count: MOST_PAID_COUNTED, usual_amount: '4', news: [] });
});

test('roles of one address are paid together, and so is what was usual for it', async () => {
  await world.owner('UPDATE community SET referrer_wallet_address = $2 WHERE id = $1', [
    community.id,
    community.external,
  ]);
  await world.addPaid(community, 100);
  const { body } = await world.distribute(community.id, { dry_run: true });
  const own = body.data.payouts.filter(({ recipientAddress: to }) => to === community.external);
  const paid = own.reduce((sum, { amount }) => sum + Number(amount), 0);
  // Three orders of as much in two payouts each: each payout alone is less than half.
  for (let nth = 1; nth <= 3; nth++) {
    const [made] = await world.owner<{ id: string }>(
      `INSERT INTO distribution (community_id, state, amount_units, requested_by_id, requested_by)
       VALUES ($1, 'approved', 1, 'someone', 'someone') RETURNING id`,
      [community.id],
    );
    for (const part of [0.4, 0.6])
      await world.owner(
        `INSERT INTO payout (community_id, distribution_id, ordered_at, ordered_by_id, status, recipient_type,
           recipient_address, amount_units, distribute_transaction_hash, updated_at)
         VALUES ($1, $2, now(), 'someone', 'distributed', 'community', $3, $4,
           '0x' || lpad(md5(random()::text), 64, '0'), now() - make_interval(days => $5))`,
        [
          community.id,
          made?.id,
          community.external,
          String(BigInt(Math.round(paid * part * 1e6)) * 10n ** 12n),
          nth,
        ],
      );
  }
  expect(await ofOwn()).toMatchObject({
    paid_count: 6,
    usual_amount: String(paid),
    owner_count: 1,
    news: [],
  });
});

test('an address that changed within 30 days is new, for whoever orders and for whoever approves', async () => {
  await world.addPaid(community, 100);
  await addPayouts(community.external, [5, 5, 5]);
  const change = (days: number) =>
    world.owner(
      `INSERT INTO payout_address_change (owner_kind, owner_id, address, changed_at, changed_by_id, released_at,
         released_by_id, released_by)
       VALUES ('community', $1, $2, now() - make_interval(days => $3), 'someone', now(), 'other', 'other')
       ON CONFLICT (owner_kind, owner_id) DO UPDATE SET changed_at = excluded.changed_at`,
      [community.id, community.external, days],
    );
  await change(31);
  expect(await ofOwn()).toMatchObject({ news: [], address_changed_at: expect.any(String) });
  await change(29);
  const shown = await ofOwn();
  expect(shown).toMatchObject({ news: ['address_changed'], address_changed_at: expect.any(String) });

  const { body } = await world.distribute(community.id);
  expect(body.data.recipients).toBeNull();
  const id = body.data.distribution?.id as string;
  const read = () =>
    world.ask('GET /api/super-admin/distributions/{id}/recipients', { params: { id } }, {}, world.other);
  const seen = await read();
  expect(seen.body.data.find(({ recipientAddress: to }) => to === community.external)).toEqual(shown);
  expect(seen.body.data).toHaveLength(new Set(body.data.payouts.map((each) => each.recipientAddress)).size);

  // Another address of its owner since: what is approved still pays the one that was ordered.
  await world.owner('UPDATE community SET external_wallet_address = $2 WHERE id = $1', [
    community.id,
    newAddress(),
  ]);
  expect((await read()).body.data.map(({ recipientAddress: to }) => to)).toContain(community.external);

  await world.ask('POST /api/super-admin/distributions/{id}/decline', { params: { id } });
  expect(await read()).toMatchObject({ status: 409, body: { error: 'distribution_decided' } });
});

test('a distribution that does not exist has no recipients', async () => {
  const answer = await world.ask('GET /api/super-admin/distributions/{id}/recipients', {
    params: { id: '00000000-0000-4000-8000-00000000dead' },
  });
  expect(answer).toMatchObject({ status: 404, body: { error: 'not_found' } });
});
