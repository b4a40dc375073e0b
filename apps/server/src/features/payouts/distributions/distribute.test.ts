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
});

const byType = <T extends { recipientType: string }>(lines: readonly T[]) =>
  Object.fromEntries(lines.map((line) => [line.recipientType, line]));
const setCommunity = (column: string, value: string | null) =>
  world.owner(`UPDATE community SET ${column} = $2 WHERE id = $1`, [community.id, value]);
const missing = '00000000-0000-4000-8000-00000000dead';

describe('a dry run', () => {
  test('describes a distribution without writing anything', async () => {
    await world.addPaid(community, 100, 50);
    await world.addPaid(community, 50);
    const before = await world.counted();
    const dry = await world.distribute(community.id, { dry_run: true });
    expect(dry.status).toBe(200);
    expect(await world.counted()).toEqual(before);
    expect(dry.body).toMatchObject({
      message: '200 USDT would be paid in 4 payouts. Nothing was changed.',
      data: {
        distribution: null,
        total_amount: '200',
        consolidations: { count: 2, amount: '200' },
        from_address: community.wallet,
        transaction_count: 6,
        expected_fee: null,
        remaining_amount: '0',
        needs_approval: false,
      },
    });
    const { body } = await world.distribute(community.id);
    const lines = (data: typeof body.data) => data.payouts.map((payout) => ({ ...payout, id: null }));
    expect(lines(body.data)).toEqual(dry.body.data.payouts);
    expect(body.data).toMatchObject({ consolidations: { count: 2, amount: '200' }, transaction_count: 6 });
    expect(body.data.payouts.every(({ id }) => id !== null)).toBe(true);
  });
});

describe('a distribution', () => {
  test('makes a payout of each recipient, sets its shares aside, and orders the transfers', async () => {
    const trader = await world.addPaid(community, 100);
    const { body } = await world.distribute(community.id, { expected_amount: '100.000' });
    expect(body).toMatchObject({
      success: true,
      message: '100 USDT is being paid in 4 payouts',
      data: {
        distribution: {
          state: 'approved',
          total_amount: '100',
          requested_by: 'super@demo.example',
          decided_by: null,
          payout_count: 4,
        },
      },
    });
    const payouts = await world.payoutsOf(community.id);
    expect(payouts).toHaveLength(4);
    expect(new Set(payouts.map(({ status }) => status))).toEqual(new Set(['consolidating']));
    const transfers = await world.transfersOf(community.id);
    expect(transfers.filter(({ kind }) => kind === 'consolidate')).toMatchObject([
      { owner_id: trader.id, to_address: community.wallet, units: usdt(100).toString(), state: 'planned' },
    ]);
    const payments = transfers.filter(({ kind }) => kind === 'distribute');
    expect(payments.map(({ to_address, units }) => `${to_address} ${units}`).sort()).toEqual(
      payouts.map(({ recipient_address, units }) => `${recipient_address} ${units}`).sort(),
    );
    for (const { from_address } of payments) expect(from_address).toBe(community.wallet);
    expect(await world.auditOf(community.id)).toEqual([
      {
        action: 'distribution.requested',
        before: null,
        after: {
          distribution_id: body.data.distribution?.id,
          state: 'approved',
          amount: '100',
          payouts: 4,
        },
      },
    ]);
    const listed = await world.ask('GET /api/super-admin/communities/{id}/distributions', {
      params: { id: community.id },
      query: {},
    });
    expect(listed.body).toMatchObject({ data: [body.data.distribution], meta: { total: 1 } });
    await expectSoundDistributions(world);
  });

  test('keeps the addresses of its request', async () => {
    await world.addPaid(community, 100);
    await world.distribute(community.id);
    await setCommunity('external_wallet_address', newAddress());
    const [payout] = (await world.payoutsOf(community.id)).filter(
      ({ recipient_type }) => recipient_type === 'community',
    );
    expect(payout?.recipient_address).toBe(community.external);
    const [share] = await world.owner(`SELECT recipient_address FROM payable WHERE payout_id = $1`, [
      payout?.id,
    ]);
    expect(share?.recipient_address).toBe(community.external);
  });

  test('pays an invoice several tips in one payout', async () => {
    const trader = await world.addPaid(community, 100);
    await world.pay(trader.id, usdt(7));
    await world.pay(trader.id, usdt(5));
    const { body } = await world.distribute(community.id);
    expect(byType(body.data.payouts).tip).toMatchObject({ amount: '12', payableCount: 2 });
    expect(body.data).toMatchObject({ total_amount: '112', consolidations: { count: 1, amount: '112' } });
    await expectSoundDistributions(world);
  });

  test('is refused when the caller saw something else, and changes nothing', async () => {
    await world.addPaid(community, 100);
    const before = await world.counted();
    const asked = [
      { expected_amount: '100.000000000000000001' },
      { expected_amount: '-100' },
      { selectedRecipients: [newAddress()] },
      { selectedRecipients: [community.external, newAddress()] },
      { selectedRecipients: [community.external], expected_amount: '100' },
    ];
    for (const body of asked)
      for (const dry_run of [true, false])
        expect(await world.distribute(community.id, { ...body, dry_run })).toMatchObject({
          status: 409,
          body: {
            error: 'recipients_changed',
            message: 'Pending shares have changed. Please review them again.',
          },
        });
    expect(await world.counted()).toEqual(before);
  });

  test('needs a wallet, and pays out what an archived community owes', async () => {
    await world.addPaid(community, 100);
    const [{ wallet } = { wallet: '' }] = await world.owner<{ wallet: string }>(
      'SELECT internal_wallet_address AS wallet FROM community WHERE id = $1',
      [community.id],
    );
    await setCommunity('internal_wallet_address', null);
    expect(await world.distribute(community.id)).toMatchObject({
      status: 409,
      body: { error: 'wallet_not_ready' },
    });
    expect(await world.distribute(missing)).toMatchObject({ status: 404 });
    await setCommunity('internal_wallet_address', wallet);
    await world.owner('UPDATE community SET is_archived = true, archived_at = now() WHERE id = $1', [
      community.id,
    ]);
    expect((await world.pending(community.id)).totalAmount).toBe('100');
    expect(await world.distribute(community.id)).toMatchObject({ status: 200 });
    expect((await world.pending(community.id)).totalAmount).toBe('0');
  });

  test('is refused when the deposit addresses do not hold it', async () => {
    const trader = await world.addPaid(community, 100);
    // As if it had been moved elsewhere, and the books knew.
    await world.owner(
      `UPDATE ledger_balance SET posted = 99 WHERE account_id = (
         SELECT id FROM ledger_account WHERE kind = 'deposit_wallet' AND owner_id = $1)`,
      [trader.id],
    );
    const before = await world.counted();
    expect(await world.distribute(community.id)).toMatchObject({
      status: 409,
      body: {
        error: 'deposits_missing',
        message: 'Deposit addresses hold less than this distribution needs',
      },
    });
    expect(await world.counted()).toEqual(before);
    await world.owner(
      `UPDATE ledger_balance SET posted = $2 WHERE account_id = (
         SELECT id FROM ledger_account WHERE kind = 'deposit_wallet' AND owner_id = $1)`,
      [trader.id, usdt(100).toString()],
    );
  });
});

describe('a withdrawal', () => {
  const withdraw = (body: object = {}) =>
    world.askAnything('POST /api/communities/{id}/withdraw', { params: { id: community.id }, body });
  const available = async () =>
    (await world.ask('GET /api/communities/{id}/available-for-withdrawal', { params: { id: community.id } }))
      .body.data;

  test('pays the community its own share only', async () => {
    expect(await available()).toEqual({ amount: '0', payable_count: 0, address: community.external });
    await world.addPaid(community, 100, 20);
    expect(await available()).toEqual({ amount: '6', payable_count: 2, address: community.external });
    expect((await withdraw({ dry_run: true })).body.message).toBe(
      '6 USDT would be paid in 1 payout. Nothing was changed.',
    );
    const { body } = await withdraw({ expected_amount: '6' });
    expect(body.data).toMatchObject({
      total_amount: '6',
      remaining_amount: '114',
      consolidations: { count: 1, amount: '120' },
    });
    expect(body.data.payouts).toMatchObject([
      { recipientType: 'community', recipientAddress: community.external, payableCount: 2 },
    ]);
    expect(await withdraw()).toMatchObject({ status: 409, body: { error: 'nothing_pending' } });
    await expectSoundDistributions(world);
  });

  test('says that there is no address', async () => {
    await setCommunity('external_wallet_address', null);
    await world.addPaid(community, 100);
    expect(await available()).toEqual({ amount: '5', payable_count: 1, address: null });
    expect(await withdraw()).toMatchObject({ status: 409, body: { error: 'nothing_pending' } });
  });
});

test.each([
  [{ selectedRecipients: [] }, 'selectedRecipients', 'Please select at least one recipient'],
  [{ selectedRecipients: ['0x1'] }, 'selectedRecipients.0', 'Invalid input'],
  [{ selectedRecipients: [`0x${'g'.repeat(40)}`] }, 'selectedRecipients.0', 'Invalid input'],
  [{ selectedRecipients: 'all' }, 'selectedRecipients', 'Expected array, received string'],
  [
    { selectedRecipients: Array.from({ length: 2_001 }, () => `0x${'1'.repeat(40)}`) },
    'selectedRecipients',
    'Invalid input: at most 2000 entries',
  ],
  [{ expected_amount: 100 }, 'expected_amount', 'Expected string, received number'],
  [{ expected_amount: '1e3' }, 'expected_amount', 'Invalid input'],
  [{ dry_run: 'yes' }, 'dry_run', 'Expected boolean, received string'],
  [{ amount: '1' }, 'amount', 'Invalid input'],
])('refuses %#', async (body, path, message) => {
  const answer = await world.distribute(community.id, body);
  expect(answer.status).toBe(400);
  expect(answer.body.details).toContainEqual({ path, message });
});

test('staff and service tokens are refused', async () => {
  const staff = await world.signIn('staff');
  const { body } = await world.ask('POST /api/service-tokens', {
    body: { name: 'Bot', scopes: ['directory:read'], provider_ids: [community.providerId] },
  });
  for (const [token, error] of [
    [staff, 'super_admin_required'],
    [body.data.token, 'service_scope_required'],
  ] as const)
    expect(await world.distribute(community.id, {}, {}, token)).toMatchObject({
      status: 403,
      body: { error },
    });
});
