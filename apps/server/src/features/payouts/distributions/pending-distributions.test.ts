import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newAddress } from '../../../../../../tests/support/world/addresses.ts';
import {
  createOwingWorld,
  type OwingCommunity,
  type OwingWorld,
} from '../../../../../../tests/support/world/owing-world.ts';
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

describe('pending shares', () => {
  test('is added up by role and address, the largest first, in EIP-55 form', async () => {
    await world.addPaid(community, 100, 60);
    await world.addPaid(community, 40);
    const pending = await world.pending(community.id);
    expect(pending).toMatchObject({
      success: true,
      message: 'Pending distributions retrieved',
      totalAmount: '200',
      unaddressed: [],
      awaiting: [],
      approvalAbove: null,
    });
    const amounts = pending.recipients.map(({ amount }) => Number(amount));
    expect(amounts).toEqual([...amounts].sort((a, b) => b - a));
    expect(byType(pending.recipients)).toMatchObject({
      mark: { amount: '100', payableCount: 3 },
      community: { amount: '10', payableCount: 3, recipientAddress: community.external },
      hexmount: { amount: '45', payableCount: 3 },
      sixk: { amount: '45', payableCount: 3 },
    });
  });

  test('goes to the present address of the recipient, in any letter case', async () => {
    await world.addPaid(community, 100);
    const now = newAddress();
    await setCommunity('external_wallet_address', now.toLowerCase());
    expect(byType((await world.pending(community.id)).recipients).community?.recipientAddress).toBe(now);
    // One that is not wanted any more is still better than none.
    await setCommunity('external_wallet_address', null);
    const { recipients } = await world.pending(community.id);
    expect(byType(recipients).community?.recipientAddress).toBe(community.external);
  });

  test('one address with two roles stays two lines', async () => {
    await setCommunity('referrer_wallet_address', community.external.toLowerCase());
    await world.addPaid(community, 100);
    const { recipients } = await world.pending(community.id);
    const mine = recipients.filter(({ recipientAddress }) => recipientAddress === community.external);
    expect(mine).toEqual([
      { recipientAddress: community.external, recipientType: 'community', amount: '5', payableCount: 1 },
      {
        recipientAddress: community.external,
        recipientType: 'community_referrer',
        amount: '1',
        payableCount: 1,
      },
    ]);
    // Chosen once, by any writing of it, both are paid.
    const { body } = await world.distribute(community.id, {
      selectedRecipients: [community.external.toLowerCase(), community.external],
      expected_amount: '6.00',
    });
    expect(body.data.payouts.map(({ recipientType, amount }) => [recipientType, amount])).toEqual([
      ['community', '5'],
      ['community_referrer', '1'],
    ]);
    expect(body.data.remaining_amount).toBe('94');
  });

  test('a trader that was referred brings its referrer a share, at the address that the referrer has now', async () => {
    await setCommunity('trader_referral_percentage', '20');
    const address = newAddress();
    const referrer = await world.addTrader({
      community_id: community.id,
      external_wallet_address: newAddress(),
    });
    const trader = await world.addTrader({
      community_id: community.id,
      selected_provider_id: community.providerId,
      referred_by_trader_id: referrer.id,
    });
    await world.addPositions(trader, '200');
    await world.invoice();
    await world.pay(trader.id, usdt(100));
    await world.owner('UPDATE trader SET external_wallet_address = $2 WHERE id = $1', [referrer.id, address]);
    expect(byType((await world.pending(community.id)).recipients)).toMatchObject({
      community: { amount: '4' },
      trader_referrer: { amount: '1', recipientAddress: address },
    });
  });

  test('shares without an address that may be paid are listed, and never distributed', async () => {
    await setCommunity('external_wallet_address', null);
    await setCommunity('referrer_wallet_address', newAddress());
    await world.addPaid(community, 100);
    const trader = await world.addPaid(community, 100);
    const [deposit] = await world.owner<{ address: string }>(
      'SELECT deposit_address AS address FROM trader WHERE id = $1',
      [trader.id],
    );
    const own = [
      deposit?.address,
      community.wallet.toLowerCase(),
      `0x${'0'.repeat(40)}`,
      world.config.chain.tokenAddress,
      (await world.owner<{ a: string }>('SELECT proxy_address AS a FROM pooled_account LIMIT 1'))[0]?.a,
    ];
    for (const address of own) {
      await setCommunity('referrer_wallet_address', address as string);
      const { recipients, unaddressed, totalAmount } = await world.pending(community.id);
      expect(byType(unaddressed), address).toEqual({
        community: { recipientType: 'community', amount: '10', payableCount: 2 },
        community_referrer: { recipientType: 'community_referrer', amount: '2', payableCount: 2 },
      });
      expect(byType(recipients)).not.toHaveProperty('community_referrer');
      expect(totalAmount).toBe('188');
    }
    const { body } = await world.distribute(community.id, { expected_amount: '188' });
    expect(body.data).toMatchObject({ total_amount: '188', remaining_amount: '0' });
    expect((await world.pending(community.id)).unaddressed).toHaveLength(2);
    expect(await world.distribute(community.id)).toMatchObject({
      status: 409,
      body: { error: 'nothing_pending', message: 'Nothing is pending for distribution' },
    });
  });
});

test("a community's wallet by the books, and the amount still to arrive", async () => {
  const balance = async () =>
    (await world.ask('GET /api/communities/{id}/wallet-balance', { params: { id: community.id } })).body.data;
  await world.addPaid(community, 100);
  await world.addPaid(community, 50);
  const fresh = { address: community.wallet, balance: '0', to_consolidate: '150', frozen_because: null };
  expect(await balance()).toMatchObject(fresh);
  await world.distribute(community.id, { selectedRecipients: [community.external] });
  expect(await balance()).toMatchObject(fresh);
  const [first] = (await world.transfersOf(community.id)).filter(({ kind }) => kind === 'consolidate');
  await world.endTransfer(first?.id as string, 'final');
  const left = first?.units === usdt(100).toString() ? '50' : '100';
  expect(await balance()).toMatchObject({ to_consolidate: left });
  await world.owner(
    `UPDATE chain_wallet SET frozen_because = 'nonce_behind', frozen_at = now() WHERE owner_id = $1`,
    [community.id],
  );
  expect(await balance()).toMatchObject({ frozen_because: 'nonce_behind' });
});
