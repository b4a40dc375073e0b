import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { OwingCommunity } from '../../../../../../tests/support/world/owing-world.ts';
import { createPayingWorld, type PayingWorld } from '../../../../../../tests/support/world/paying-world.ts';
import { findUnpaid } from '../../../../../../tests/support/world/sound-payouts.ts';
import { usdt } from '../../../../../../tests/support/world/usdt.ts';

let world: PayingWorld;
let community: OwingCommunity;
let traders: { id: string; address: string }[];
beforeAll(async () => {
  world = await createPayingWorld();
}, 120_000);
afterAll(() => world?.close());
beforeEach(async () => {
  community = await world.addCommunity();
  traders = [await world.addPaid(community, 20), await world.addPaid(community, 40)];
});

const [FROZEN, SOUND] = [0, 1];
const walletOf = async (index: number) => {
  const [row] = await world.owner<{ id: string; frozen_because: string | null }>(
    `SELECT id, frozen_because FROM chain_wallet WHERE role = 'deposit' AND owner_id = $1`,
    [traders[index]?.id],
  );
  return row;
};
const freezeDeposit = (index: number) =>
  world.owner(
    `UPDATE chain_wallet SET frozen_because = 'balance_short', frozen_at = now(), chain_nonce = 0
     WHERE role = 'deposit' AND owner_id = $1`,
    [traders[index]?.id],
  );
interface Pending {
  totalAmount: string;
  held: { amount: string; reason: string; recipientType: string }[];
}
const pending = async () =>
  (await world.call<Pending>('GET', `/api/super-admin/communities/${community.id}/pending-distributions`))
    .body;
const sum = (amounts: readonly string[]) => amounts.reduce((total, amount) => total + Number(amount), 0);
const expectPaidSoundly = async () =>
  expect(await findUnpaid(world, world.chain.token, community.id)).toEqual([]);

test('payouts that wait for a frozen address go on with the other shares, and report the remainder', async () => {
  await world.distribute(community.id);
  await freezeDeposit(FROZEN);
  await world.payOut();
  const payouts = await world.payoutsOf(community.id);
  expect(new Set(payouts.map(({ status }) => status))).toEqual(new Set(['distributed']));
  expect(sum(payouts.map(({ units }) => units)) / 1e18).toBe(40);
  const left = await pending();
  expect(left.totalAmount).toBe('0');
  expect(sum(left.held.map(({ amount }) => amount))).toBe(20);
  expect(new Set(left.held.map(({ reason }) => reason))).toEqual(new Set(['deposit_frozen']));
  await expectPaidSoundly();
  const [entry] = await world.owner<{ after: object }>(
    `SELECT after FROM audit_entry WHERE action = 'payout.shares_returned' AND target_id = $1`,
    [payouts[0]?.id],
  );
  expect(entry?.after).toMatchObject({ shares: 1, because: 'consolidation_stuck' });

  // Unfrozen, its shares are paid with the next distribution, by the transfer that was planned before.
  const { id } = (await walletOf(FROZEN)) ?? {};
  await world.call('POST', `/api/super-admin/wallets/${id}/unfreeze`, { reason: 'Tokens are back' });
  expect(await pending()).toMatchObject({ totalAmount: '20', held: [] });
  await world.distribute(community.id);
  await world.payOut();
  expect(await pending()).toMatchObject({ totalAmount: '0', held: [] });
  await expectPaidSoundly();
});

test('a distribution plans around a frozen address', async () => {
  // The wallet is known from a distribution that was taken back.
  await world.distribute(community.id);
  for (const { id } of await world.payoutsOf(community.id))
    await world.call('POST', `/api/sweep-operations/${id}/cancel`);
  await freezeDeposit(FROZEN);
  await world.addPaid(community, 10);
  const before = await pending();
  expect(before.totalAmount).toBe('10');
  const { body } = await world.distribute(community.id);
  await world.payOut();
  const statuses = await world.owner<{ status: string }>('SELECT status FROM payout WHERE id = ANY ($1)', [
    body.data.payouts.map(({ id }) => id),
  ]);
  expect(new Set(statuses.map(({ status }) => status))).toEqual(new Set(['distributed']));
  await expectPaidSoundly();
});

test('with nothing else to pay, payouts wait and say why', async () => {
  const only = await world.addCommunity();
  const trader = await world.addPaid(only, 20);
  await world.distribute(only.id);
  await world.owner(
    `UPDATE chain_wallet SET frozen_because = 'balance_short', frozen_at = now(), chain_nonce = 0 WHERE owner_id = $1`,
    [trader.id],
  );
  await world.payOut();
  const payouts = await world.payoutsOf(only.id);
  expect(new Set(payouts.map(({ status }) => status))).toEqual(new Set(['consolidating']));
  const detail = await world.call<{ data: { waits_for: object | null } }>(
    'GET',
    `/api/sweep-operations/${payouts[0]?.id}`,
  );
  expect(detail.body.data.waits_for).toMatchObject({
    reason: 'wallet_frozen',
    detail: 'balance_short',
    address: trader.address,
  });
});

test('tokens that are missing at one address hold up its own shares only', async () => {
  await world.chain.setTokens(traders[FROZEN]?.address as string, 0n);
  await world.distribute(community.id);
  await world.payOut(world.engineWith({ doubtMs: 0 }));
  expect(await walletOf(FROZEN)).toMatchObject({ frozen_because: 'transfer_refused' });
  expect(await walletOf(SOUND)).toMatchObject({ frozen_because: null });
  const payouts = await world.payoutsOf(community.id);
  expect(new Set(payouts.map(({ status }) => status))).toEqual(new Set(['distributed']));
  expect(sum(payouts.map(({ units }) => units)) / 1e18).toBe(40);
});

test('an address that is not of the seed gets no coin, and holds up its own shares only', async () => {
  const foreign = `0x${'7'.repeat(40)}`;
  await world.owner('UPDATE trader SET deposit_address = $2 WHERE id = $1', [traders[FROZEN]?.id, foreign]);
  await world.distribute(community.id);
  await world.payOut();
  expect(await walletOf(FROZEN)).toMatchObject({ frozen_because: 'wallet_not_of_seed' });
  expect(await world.owner('SELECT FROM transfer WHERE to_address = $1', [foreign])).toEqual([]);
  const payouts = await world.payoutsOf(community.id);
  expect(new Set(payouts.map(({ status }) => status))).toEqual(new Set(['distributed']));
  expect(sum(payouts.map(({ units }) => units)) / 1e18).toBe(40);
});

test('a reverted consolidation fails only its dependants', async () => {
  await world.distribute(community.id);
  const engine = world.engineWith();
  const [intent] = await world.owner<{ id: string; wallet_id: string }>(
    `SELECT i.id, i.wallet_id FROM transfer i JOIN chain_wallet w ON w.id = i.wallet_id
     WHERE i.kind = 'consolidate' AND w.owner_id = $1`,
    [traders[FROZEN]?.id],
  );
  // Signed while its tokens were there, mined when they were gone.
  const broadcast: typeof engine.chain.broadcast = async (raw) => {
    const sent = await world.owner(`SELECT FROM transfer WHERE id = $1 AND state = 'sent'`, [intent?.id]);
    if (sent.length > 0) await world.chain.setTokens(traders[FROZEN]?.address as string, 0n);
    return engine.chain.broadcast(raw);
  };
  await world.payOut({ ...engine, chain: { ...engine.chain, broadcast } });
  const [ended] = await world.owner('SELECT state FROM transfer WHERE id = $1', [intent?.id]);
  expect(ended).toEqual({ state: 'reverted' });
  const payouts = await world.payoutsOf(community.id);
  expect(new Set(payouts.map(({ status }) => status))).toEqual(new Set(['distributed']));
  expect(sum(payouts.map(({ units }) => units)) / 1e18).toBe(40);
  expect((await pending()).totalAmount).toBe('20');
});

test('a payout with a partly stuck account waits, and holds up no turn of the worker', async () => {
  const only = await world.addCommunity();
  const trader = await world.addPaid(only, 20);
  const tip = async (amount: number) => {
    await world.chain.token.mint(trader.address as `0x${string}`, usdt(amount));
    await world.pay(trader.id, usdt(amount));
  };
  await world.owner(
    `UPDATE platform_recipient SET address = '0x' || repeat('e', 40) WHERE recipient_type = 'tip'`,
  );
  await tip(2);
  const [mark] = (
    await world.call<{ recipients: { recipientAddress: string; recipientType: string }[] }>(
      'GET',
      `/api/super-admin/communities/${only.id}/pending-distributions`,
    )
  ).body.recipients.filter(({ recipientType }) => recipientType === 'mark');
  // The first tip comes along into the community's wallet, and is not paid out yet.
  await world.distribute(only.id, { selectedRecipients: [mark?.recipientAddress] });
  await world.payOut();
  await tip(3);
  await world.distribute(only.id);
  await world.owner(
    `UPDATE chain_wallet SET frozen_because = 'balance_short', frozen_at = now(), chain_nonce = 1 WHERE owner_id = $1`,
    [trader.id],
  );
  await world.payOut();
  const byType = new Map((await world.payoutsOf(only.id)).map((each) => [each.recipient_type, each]));
  expect(byType.get('tip')).toMatchObject({ status: 'consolidating', units: usdt(5).toString() });
  expect(byType.get('community')).toMatchObject({ status: 'distributed' });
});
