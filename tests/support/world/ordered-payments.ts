import { takeHarvestTurn } from '../../../apps/server/src/features/pools/harvest/take-harvest-turn.ts';
import { setUpWallets } from '../../../apps/server/src/features/transfers/wallets/set-up-wallets.ts';
import { newAddress } from './addresses.ts';
import { allowTips } from './invoicing.ts';
import { createPoolOrderWorld } from './pool-order-world.ts';
import type { WorldMember } from './pool-world.ts';
import { usdt } from './usdt.ts';

/** A transfer that is ready to be signed, and what the audit knows its order by. */
export interface OrderedPayment {
  orderId: string;
  transferId: string;
}

const COIN = 10n ** 18n;
/** So many members pay in, for as many tests with the deposit of one. */
const MEMBERS = 9;
const ELSEWHERE = `0x${'5e'.repeat(20)}`;

/** A world in which people order payments that are no distributions, each with coin in its wallet and not yet signed. */
export async function createOrderedPayments() {
  const world = await createPoolOrderWorld({ accounts: 2 });
  const filled = await world.poolWith(10_000);
  const empty = await world.addOpenPool({ account: 2, members: MEMBERS });
  await world.rest();
  // What is paid above an invoice stays credit.
  await allowTips(world.owner, 1n);
  await world.act(empty.poolId, { action: 'close_gate' });
  const giveCoin = (address: string) => world.chain.giveCoin(address as `0x${string}`, COIN);
  for (const address of [filled.proxy, empty.proxy]) await giveCoin(address);
  // Members whose addresses are new are not paid because a program asks.
  await world.owner(`UPDATE trader SET created_at = now() - interval '8 days' WHERE id = $1`, [
    filled.member.traderId,
  ]);

  async function arrived(address: string, amount: number): Promise<void> {
    await world.chain.pay(address as `0x${string}`, usdt(amount));
    await world.chain.finalize();
    await world.readChain();
  }

  async function transferOf(query: string, id: string): Promise<string> {
    const [row] = await world.owner<{ id: string | null }>(`SELECT transfer_id AS id FROM ${query} = $1`, [
      id,
    ]);
    if (!row?.id) throw new Error(`nothing is ordered for ${query} = ${id}`);
    return row.id;
  }

  /** Orders what is reserved and may be paid now. */
  async function orderWithdrawal(id: string): Promise<string> {
    await world.owner('UPDATE harvest_cycle SET look_at = $2 WHERE pooled_account_id = $1', [
      filled.poolId,
      new Date(world.venue.now()),
    ]);
    const tokenLimits = { perMemberDay: usdt(1_000), perPoolDay: usdt(1_000) };
    while (await takeHarvestTurn({ ...world.worker, chain: { ...world.worker.chain, tokenLimits } })) {
      // until no cycle is due
    }
    return transferOf('pool_withdrawal WHERE id', id);
  }

  async function approved(waits: { order_id: string | null }): Promise<string> {
    const { status, body } = await world.approve(waits.order_id as string);
    if (status !== 200) throw new Error(`not approved: ${JSON.stringify(body)}`);
    return waits.order_id as string;
  }

  async function withdrawal(): Promise<OrderedPayment> {
    const { data } = (await world.withdraw(filled.poolId, filled.member.id, '600')).body;
    const orderId = await approved(data);
    return { orderId, transferId: await orderWithdrawal(data.id) };
  }

  let program: string | null = null;
  async function askedWithdrawal(): Promise<OrderedPayment> {
    program ??= (
      await world.ask('POST /api/service-tokens', {
        body: { name: 'Members', scopes: ['pool_requests'], provider_ids: [filled.community.providerId] },
      })
    ).body.data.token;
    const { id } = (await world.withdraw(filled.poolId, filled.member.id, '10', program)).body.data;
    return { orderId: id, transferId: await orderWithdrawal(id) };
  }

  const members = [...empty.members];
  async function depositReturn(): Promise<OrderedPayment> {
    const { id: memberId, address } = members.pop() as WorldMember;
    await giveCoin(address);
    await arrived(address, 600);
    const [deposit] = await world.owner<{ id: string }>('SELECT id FROM pool_deposit WHERE member_id = $1', [
      memberId,
    ]);
    const depositId = deposit?.id as string;
    const params = { id: empty.poolId, depositId };
    const { data } = (
      await world.ask('POST /api/pooled-accounts/{id}/deposits/{depositId}/return', { params })
    ).body;
    const orderId = await approved(data);
    return { orderId, transferId: await transferOf('pool_deposit WHERE id', depositId) };
  }

  async function sendBack(): Promise<OrderedPayment> {
    await arrived(empty.proxy, 10);
    const [arrival] = await world.owner<{ id: string }>(
      `SELECT id FROM pool_arrival a WHERE pooled_account_id = $1
         AND NOT EXISTS (SELECT FROM pool_arrival_decision e WHERE e.arrival_id = a.id)`,
      [empty.poolId],
    );
    const place = { id: empty.poolId, arrivalId: arrival?.id as string };
    const proposed = await world.ask('POST /api/pooled-accounts/{id}/arrivals/{arrivalId}/decisions', {
      params: place,
      body: { kind: 'sent_back', amount: '10', to_address: ELSEWHERE, evidence: 'asked the owner' },
    });
    const decisionId = proposed.body.data.id;
    await world.ask(
      'POST /api/pooled-accounts/{id}/arrivals/{arrivalId}/decisions/{decisionId}/confirm',
      { params: { ...place, decisionId } },
      {},
      world.other,
    );
    return {
      orderId: decisionId,
      transferId: await transferOf('pool_arrival_decision WHERE id', decisionId),
    };
  }

  async function creditReturn(): Promise<OrderedPayment> {
    const { id: community_id, providerId } = await world.addCommunity(null);
    await setUpWallets(world.engine);
    const to = newAddress();
    const trader = await world.addTrader({
      community_id,
      selected_provider_id: providerId,
      external_wallet_address: to,
    });
    await world.owner('DELETE FROM payout_address_change WHERE owner_id = $1', [trader.id]);
    await world.addPositions(trader, '20');
    await world.invoice();
    const { paymentId } = await world.pay(trader.id, usdt(610));
    const [invoice] = await world.invoicesOf(trader.id);
    const from = invoice?.payment_address as `0x${string}`;
    await world.chain.token.mint(from, usdt(610));
    await giveCoin(from);
    const { data } = (
      await world.ask('POST /api/payments/{id}/return', {
        params: { id: paymentId },
        body: { amount: '600', to_address: to, reason: 'Paid twice' },
      })
    ).body;
    const orderId = await approved(data);
    return { orderId, transferId: await transferOf('credit_return WHERE order_id', orderId) };
  }

  return { ...world, withdrawal, askedWithdrawal, depositReturn, sendBack, creditReturn };
}
export type OrderedPayments = Awaited<ReturnType<typeof createOrderedPayments>>;
