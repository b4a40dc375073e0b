import { takeHarvestTurn } from '../../../apps/server/src/features/pools/harvest/take-harvest-turn.ts';
import { takeTransferTurn } from '../../../apps/server/src/features/transfers/engine/transfer-turn.ts';
import { createPoolWorld, type PoolWorld } from './pool-world.ts';
import { usdt } from './usdt.ts';

export type OpenPool = Awaited<ReturnType<PoolWorld['addOpenPool']>>;

interface StoredWithdrawal extends Record<string, unknown> {
  id: string;
  state: string;
  attempt: number;
  reserved: string | null;
  waits_because: string | null;
  refusal: string | null;
  available: string | null;
}

/**
 * Open pools whose deposits and withdrawals a test follows turn by turn.
 * @param accounts as many as pools
 */
export async function createFlowWorld({ accounts }: { accounts: number }) {
  const world = await createPoolWorld({ accounts });
  let lastAccount = 0;

  function addPool(members: number): Promise<OpenPool> {
    lastAccount += 1;
    return world.addOpenPool({ account: lastAccount, members });
  }

  /** An open pool whose members paid in these amounts, which are collected. */
  async function addFilledPool(amounts: number[]): Promise<OpenPool> {
    const pool = await addPool(amounts.length);
    for (const [nth, amount] of amounts.entries()) await payIn(pool, nth, amount);
    await roundsUntil(async () => (await depositsOf(pool)).every(({ state }) => state === 'admitted'));
    return pool;
  }

  async function payIn(pool: OpenPool, nth: number, amount: number): Promise<void> {
    await world.chain.pay(pool.members[nth]?.address as string, usdt(amount));
    await world.chain.finalize();
    await world.readChain();
  }

  const depositsOf = ({ poolId }: OpenPool) =>
    world.owner<{ member_id: string; state: string; transfer_id: string | null }>(
      'SELECT member_id, state, transfer_id FROM pool_deposit WHERE pooled_account_id = $1 ORDER BY created_at',
      [poolId],
    );

  const transfersOf = ({ community }: OpenPool, kind: string) =>
    world.owner<{ state: string; problem: string | null }>(
      'SELECT state, problem FROM transfer WHERE community_id = $1 AND kind = $2 ORDER BY created_at',
      [community.id, kind],
    );

  async function roundsUntil(isDone: () => Promise<boolean>): Promise<void> {
    for (let nth = 0; nth < 30; nth += 1) {
      if (await isDone()) return;
      await world.round();
    }
    throw new Error('the flows do not get there');
  }

  /** One turn of the workers, without a new block. */
  async function turn({ poolId }: OpenPool): Promise<void> {
    await world.owner('UPDATE harvest_cycle SET look_at = $2 WHERE pooled_account_id = $1', [
      poolId,
      new Date(world.venue.now()),
    ]);
    while (await takeHarvestTurn(world.worker)) {
      // until no cycle is due
    }
    await world.owner('UPDATE transfer SET retry_at = NULL WHERE retry_at IS NOT NULL');
    while (await takeTransferTurn(world.engine)) {
      // until it waits for blocks
    }
  }

  return {
    ...world,
    addPool,
    addFilledPool,
    payIn,
    depositsOf,
    transfersOf,
    roundsUntil,
    turn,
    withdrawalsOf: ({ poolId }: OpenPool) =>
      world.owner<StoredWithdrawal>(
        `SELECT id, state, attempt, reserved_units::text AS reserved, waits_because, refusal,
           available_units::text AS available
         FROM pool_withdrawal WHERE pooled_account_id = $1 ORDER BY created_at, id`,
        [poolId],
      ),
    /** What is reserved of the capital of the pool's first member. */
    async reservedOf({ members }: OpenPool): Promise<bigint> {
      const [row] = await world.owner<{ pending: string }>(
        `SELECT b.pending::text AS pending FROM ledger_account a JOIN ledger_balance b ON b.account_id = a.id
         WHERE a.owner_id = $1 AND a.kind = 'pool_capital'`,
        [members[0]?.id],
      );
      return BigInt(row?.pending ?? 0);
    },
    request: ({ poolId, members }: OpenPool, nth: number, amount: string, key?: string) =>
      world.askAnything('POST /api/pooled-accounts/{id}/withdrawals', {
        params: { id: poolId },
        body: { member_id: members[nth]?.id as string, amount, ...(key && { request_key: key }) },
      }),
    /** Lets the workers go on until a transfer of this kind is sent and in no block. */
    async untilUnmined(pool: OpenPool, kind: string): Promise<void> {
      await world.chain.node.setAutomine(false);
      for (let nth = 0; nth < 20; nth += 1) {
        await turn(pool);
        if ((await transfersOf(pool, kind)).some(({ state }) => state === 'sent')) return;
        await world.chain.finalize();
        world.venue.advance(11_000);
      }
      throw new Error(`no ${kind} is sent`);
    },
    /** Makes the transaction that waits revert: its wallet is empty when it is mined, and full again afterwards. */
    async revertUnmined(wallet: `0x${string}`): Promise<void> {
      const held = await world.chain.token.balanceOf(wallet);
      await world.chain.setTokens(wallet, 0n);
      await world.chain.finalize();
      await world.chain.setTokens(wallet, held);
      await world.chain.node.setAutomine(true);
    },
  };
}
export type FlowWorld = Awaited<ReturnType<typeof createFlowWorld>>;
