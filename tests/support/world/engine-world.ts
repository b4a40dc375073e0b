import type { TransferEngine } from '../../../apps/server/src/features/transfers/engine/engine.ts';
import { takeTransferTurn } from '../../../apps/server/src/features/transfers/engine/transfer-turn.ts';
import { createChainSender } from '../../../apps/server/src/integrations/chain/chain-sender.ts';
import { createFaultyRpc } from '../faulty-rpc.ts';
import type { OwingCommunity } from './owing-world.ts';
import { createPayingWorld } from './paying-world.ts';
import { findUnpaid } from './sound-payouts.ts';

interface WalletRow extends Record<string, unknown> {
  id: string;
  frozen_because: string | null;
  next_nonce: string;
}

interface AttemptRow extends Record<string, unknown> {
  kind: string;
  nonce: string;
  attempt: number;
  hash: string;
  max_fee: string;
  state: string;
  is_cancel: boolean;
}

/** A paying world with a second server of its chain, which misbehaves on request. */
export async function createEngineWorld(options: Parameters<typeof createPayingWorld>[0] = {}) {
  const world = await createPayingWorld(options);
  const rpc = await createFaultyRpc(world.chain.url);
  const turn = (changes: Partial<TransferEngine> = {}) => takeTransferTurn(world.engineWith(changes));
  const senderOf = (...rpcUrls: string[]) =>
    createChainSender({ rpcUrls, tokenAddress: world.chain.token.address, timeoutMs: 1_000 });
  const statusesOf = async ({ id }: { id: string }) => [
    ...new Set((await world.payoutsOf(id)).map(({ status }) => status)),
  ];
  const walletOf = async ({ id }: { id: string }): Promise<WalletRow | undefined> => {
    const [row] = await world.owner<WalletRow>(
      'SELECT id, frozen_because, next_nonce::text FROM chain_wallet WHERE owner_id = $1',
      [id],
    );
    return row;
  };
  return {
    ...world,
    rpc,
    turn,
    senderOf,
    /** The misbehaving server alone. */
    throughFaults: () => senderOf(rpc.url),
    /** The misbehaving server, with a sound one behind it. */
    throughBoth: () => senderOf(rpc.url, world.chain.url),
    /** Every status that payouts of the community have. */
    statusesOf,
    /** A community with coin in its wallet whose debts were ordered to be paid. */
    async orderPayout(amount = 50): Promise<OwingCommunity> {
      const community = await world.addCommunity();
      await world.addPaid(community, amount);
      await world.chain.giveCoin(community.wallet, 10n ** 18n);
      await world.distribute(community.id);
      return community;
    },
    walletOf,
    /** The signed transactions of a community's transfers, by nonce. */
    attemptsOf: ({ id }: { id: string }) =>
      world.owner<AttemptRow>(
        `SELECT i.kind, t.nonce::text, t.attempt, t.hash, t.max_fee_wei::text AS max_fee, i.state, t.is_cancel
         FROM transfer_attempt t JOIN transfer i ON i.id = t.transfer_id WHERE i.community_id = $1
         ORDER BY i.kind, t.nonce, t.attempt`,
        [id],
      ),
    /** Takes turns until the community's wallet has the tokens that it owes, and has sent none. */
    async untilConsolidated(community: { id: string }): Promise<void> {
      for (let round = 0; round < 20; round++) {
        await turn({ inFlight: 0 });
        if ((await statusesOf(community)).every((status) => status === 'consolidated')) return;
        await world.owner('UPDATE transfer SET retry_at = NULL');
        await turn();
        await world.chain.finalize();
      }
      throw new Error('the tokens did not arrive');
    },
    isPaid: async (community: { id: string }) =>
      (await statusesOf(community)).every((status) => status === 'distributed'),
    /** The statuses of the community's payouts, why its wallet is frozen, and the violated invariants. */
    async paidState(community: { id: string }) {
      return {
        statuses: await statusesOf(community),
        frozen: (await walletOf(community))?.frozen_because,
        unpaid: await findUnpaid(world, world.chain.token, community.id),
      };
    },
    /** The misbehaving server answers correctly, and blocks are made at once. */
    async heal(): Promise<void> {
      rpc.heal();
      await world.chain.node.setAutomine(true);
    },
    async close() {
      await rpc.close();
      await world.close();
    },
  };
}
export type EngineWorld = Awaited<ReturnType<typeof createEngineWorld>>;

/** The state of a community whose payouts are all final. */
export const PAID = { statuses: ['distributed'], frozen: null, unpaid: [] };
