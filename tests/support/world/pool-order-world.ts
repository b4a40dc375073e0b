import type { Order } from '@copydesk/contract/transfers';
import { createPoolWorld, type WorldMember } from './pool-world.ts';
import { usdt } from './usdt.ts';

/** Pools whose withdrawals above 500 USDT need a second person. Their people are `token` and `other`. */
export async function createPoolOrderWorld({ accounts }: { accounts: number }) {
  const world = await createPoolWorld({ accounts, env: { APPROVAL_ABOVE_USDT: '500' } });
  let lastAccount = 0;

  async function payIn({ poolId }: { poolId: string }, member: WorldMember, amount: number): Promise<void> {
    const before = Number((await world.pool(poolId)).total_virtual_balance);
    await world.chain.pay(member.address, usdt(amount));
    await world.chain.finalize();
    for (let round = 0; round < 20; round += 1) {
      await world.round();
      if (Number((await world.pool(poolId)).total_virtual_balance) === before + amount) return;
    }
    throw new Error('the deposit is not admitted');
  }

  return {
    ...world,
    payIn,
    /** An open pool with one member, whose capital is in the proxy wallet. */
    async poolWith(amount: number) {
      lastAccount += 1;
      const pool = await world.addOpenPool({ account: lastAccount, members: 1 });
      const member = pool.members[0] as WorldMember;
      await payIn(pool, member, amount);
      return { ...pool, member };
    },
    /** The sums of a day begin anew. */
    async beginDay(): Promise<void> {
      await world.rest();
      await world.owner(`UPDATE money_order SET requested_at = requested_at - interval '2 days'`);
      await world.owner(`UPDATE payout SET ordered_at = ordered_at - interval '2 days'`);
    },
    async rounds(count: number): Promise<void> {
      for (let round = 0; round < count; round += 1) await world.round();
    },
    withdraw: (poolId: string, memberId: string, amount: string, as = world.token) =>
      world.ask(
        'POST /api/pooled-accounts/{id}/withdrawals',
        { params: { id: poolId }, body: { member_id: memberId, amount } },
        {},
        as,
      ),
    listOrders: async (poolId: string, as = world.other): Promise<Order[]> =>
      (await world.ask('GET /api/orders', { query: { pool_id: poolId } }, {}, as)).body.data,
    approve: (id: string, as = world.other) =>
      world.ask('POST /api/orders/{id}/approve', { params: { id } }, {}, as),
    decline: (id: string, as = world.other) =>
      world.ask('POST /api/orders/{id}/decline', { params: { id } }, {}, as),
    async requestOf(poolId: string, id: string) {
      const { body } = await world.ask('GET /api/pooled-accounts/{id}/requests', {
        params: { id: poolId },
        query: { state: 'all' },
      });
      return body.data.find((request) => request.id === id);
    },
    paidTo: (address: string) => world.chain.token.balanceOf(address as `0x${string}`),
  };
}
export type PoolOrderWorld = Awaited<ReturnType<typeof createPoolOrderWorld>>;
