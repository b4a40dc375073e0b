import type { TransferEngine } from '../../../apps/server/src/features/transfers/engine/engine.ts';
import { takeTransferTurn } from '../../../apps/server/src/features/transfers/engine/transfer-turn.ts';
import { setUpWallets } from '../../../apps/server/src/features/transfers/wallets/set-up-wallets.ts';
import { createOwingWorld, type OwingCommunity } from './owing-world.ts';
import { createPayingChain } from './paying-chain.ts';
import { engineOf, GAS_WALLET } from './transfer-engine.ts';
import { usdt } from './usdt.ts';

const COIN = 10n ** 18n;
/** After this many rounds, unfinished work stays unfinished. */
const MOST_ROUNDS = 60;

/** A world whose communities owe money at deposit addresses of a local chain, without a paying worker. */
export async function createPayingWorld(
  options: { env?: Record<string, string>; sharing?: { ownerUrl: string } } = {},
) {
  const chain = await createPayingChain();
  const world = await createOwingWorld({
    env: { TOKEN_ADDRESS: chain.token.address, CHAIN_ID: '56', ...options.env },
    ...(options.sharing && { sharing: options.sharing }),
  });
  const place = { url: chain.url, tokenAddress: chain.token.address };
  const engineWith = (changes: Partial<TransferEngine> = {}) => engineOf(world, place, changes);
  // Its wallets are those of the test seed, and earlier debts are kept out of the way.
  await world.owner('UPDATE community SET internal_wallet_address = NULL');
  await world.owner(`DELETE FROM payable WHERE payout_id IS NULL`);
  await setUpWallets(engineWith());
  await chain.giveCoin(GAS_WALLET, 100n * COIN);
  const gasWalletId = async () =>
    (await world.owner<{ id: string }>(`SELECT id FROM chain_wallet WHERE role = 'gas'`))[0]?.id;

  const call = async <T = Record<string, unknown>>(method: 'GET' | 'POST', url: string, payload?: object) => {
    const answer = await world.app.inject({
      method,
      url,
      headers: { authorization: world.token },
      payload,
    });
    return { status: answer.statusCode, body: answer.json<T & { error?: string; message?: string }>() };
  };

  return {
    ...world,
    chain,
    engineWith,
    call,
    gasWallet: GAS_WALLET,
    gasWalletId,
    async close() {
      await world.close();
      await chain.stop();
    },
    /** A community with a wallet of the seed, and an address for each recipient. */
    async addCommunity(): Promise<OwingCommunity> {
      const community = await world.addCommunity(null);
      await setUpWallets(engineWith());
      const [row] = await world.owner<{ wallet: string }>(
        'SELECT internal_wallet_address AS wallet FROM community WHERE id = $1',
        [community.id],
      );
      return { ...community, wallet: row?.wallet as string };
    },
    /** A trader of the community who paid an invoice of this many USDT on chain: its shares are pending. */
    async addPaid(community: OwingCommunity, amount: number): Promise<{ id: string; address: string }> {
      const { id } = await world.addPaid(community, amount);
      const [invoice] = await world.invoicesOf(id);
      const address = invoice?.payment_address as `0x${string}`;
      await chain.token.mint(address, usdt(amount));
      return { id, address };
    },
    /** Takes turns and makes blocks final, until nothing is left to do. */
    async payOut(engine: TransferEngine = engineWith()): Promise<void> {
      for (let round = 0; round < MOST_ROUNDS; round++) {
        await world.owner('UPDATE transfer SET retry_at = NULL WHERE retry_at IS NOT NULL');
        while (await takeTransferTurn(engine)) {
          // until it waits for blocks
        }
        const [left] = await world.owner<{ count: number }>(
          `SELECT count(*)::int AS count FROM transfer i JOIN chain_wallet w ON w.id = i.wallet_id
           WHERE i.state IN ('planned', 'sent') AND w.frozen_because IS NULL`,
        );
        if (left?.count === 0) return;
        await chain.finalize();
      }
    },
  };
}
export type PayingWorld = Awaited<ReturnType<typeof createPayingWorld>>;
