import { randomUUID } from 'node:crypto';
import { listMismatches } from '../../apps/server/src/core/ledger/mismatches.views.ts';
import { PAYOUT_PURPOSES } from '../../apps/server/src/features/payouts/transfers/payout-purposes.ts';
import type { TransferEngine } from '../../apps/server/src/features/transfers/engine/engine.ts';
import { takeTransferTurn } from '../../apps/server/src/features/transfers/engine/transfer-turn.ts';
import { setUpWallets } from '../../apps/server/src/features/transfers/wallets/set-up-wallets.ts';
import { createChainSender } from '../../apps/server/src/integrations/chain/chain-sender.ts';
import { createWalletKeys } from '../../apps/server/src/integrations/chain/wallet-keys.ts';
import { createPayingChain, type PayingChain } from './chain.ts';
import { ALL, createInvoicingWorld, type InvoicingWorld, usdt } from './invoicing.ts';

/**
 * BIP-39 seed of "test test test test test test test test test test test junk", which the traders' addresses come from.
 */
export const TEST_SEED =
  '9dfc3c64c2f8bede1533b6a79f8570e5943e0b8fd1cf77107adf7b72cef42185d564a3aee24cab43f80e3c4538087d70fc824eabbad596a23c97b6ee8322ccc0';
const KEYS = createWalletKeys(Buffer.from(TEST_SEED, 'hex'));
const GAS_WALLET = KEYS.addressOf({ role: 'gas', keyIndex: 0 });
const COIN = 10n ** 18n;
/** After this many rounds, unfinished work stays unfinished. */
const MOST_ROUNDS = 60;

/** The engine of a worker over this world and chain. */
function engineOf(
  world: Pick<InvoicingWorld, 'db' | 'log'>,
  rpcUrls: readonly string[],
  tokenAddress: string,
  changes: Partial<TransferEngine> = {},
): TransferEngine {
  return {
    db: world.db,
    log: world.log,
    now: () => new Date(),
    chain: createChainSender({ rpcUrls, tokenAddress, timeoutMs: 5_000 }),
    chainId: 56,
    keys: KEYS,
    purposes: PAYOUT_PURPOSES,
    limits: { perTransaction: null, perDay: null },
    maxFeeWei: 100n * 10n ** 9n,
    inFlight: 64,
    stuckMs: 60_000,
    resendMs: 10_000,
    doubtMs: 60_000,
    doubts: new Map(),
    ...changes,
  };
}

/** A world whose communities owe money at deposit addresses of a local chain, without a paying worker. */
export async function createPayoutWorld(options: { env?: Record<string, string> } = {}) {
  const chain = await createPayingChain();
  const world = await createInvoicingWorld({
    env: { TOKEN_ADDRESS: chain.token.address, CHAIN_ID: '56', ...options.env },
  });
  const engineWith = (changes: Partial<TransferEngine> = {}) =>
    engineOf(world, [chain.url], chain.token.address, changes);
  // Its wallets are those of the test seed, and earlier debts are kept out of the way.
  await world.owner('UPDATE community SET internal_wallet_address = NULL');
  await world.owner(`DELETE FROM payable WHERE payout_id IS NULL`);
  await setUpWallets(engineWith());
  await chain.giveCoin(GAS_WALLET, 100n * COIN);
  const authorization = await world.signIn('super');
  const gasWalletId = async () =>
    (await world.owner<{ id: string }>(`SELECT id FROM chain_wallet WHERE role = 'gas'`))[0]?.id;

  const call = async <T = Record<string, unknown>>(method: 'GET' | 'POST', url: string, payload?: object) => {
    const answer = await world.app.inject({ method, url, headers: { authorization }, payload });
    return { status: answer.statusCode, body: answer.json<T & { error?: string; message?: string }>() };
  };

  return {
    ...world,
    chain,
    engineWith,
    authorization,
    call,
    gasWallet: GAS_WALLET,
    gasWalletId,
    async close() {
      await world.close();
      await chain.stop();
    },
    /** A community with an address for each recipient, whose traders all selected one provider. */
    async addCommunity(): Promise<Community> {
      const id = randomUUID();
      const address = () => `0x${randomUUID().replaceAll('-', '')}abcdef01`;
      const [provider] = await world.owner<{ id: string }>('SELECT id FROM provider ORDER BY name LIMIT 1');
      await world.owner(
        `INSERT INTO community (id, name, split_percentage, external_wallet_address) VALUES ($1, $2, 5, $3)`,
        [id, `Community ${id}`, address()],
      );
      await world.owner('INSERT INTO community_provider (community_id, provider_id) VALUES ($1, $2)', [
        id,
        provider?.id,
      ]);
      await setUpWallets(engineWith());
      const [row] = await world.owner<{ wallet: string }>(
        'SELECT internal_wallet_address AS wallet FROM community WHERE id = $1',
        [id],
      );
      return { id, providerId: provider?.id as string, wallet: row?.wallet as string };
    },
    /** A trader of the community who paid an invoice of this many USDT on chain: its shares are pending. */
    async addPaid(community: Community, amount: number): Promise<{ id: string; address: string }> {
      const trader = await world.addTrader({
        community_id: community.id,
        selected_provider_id: community.providerId,
      });
      await world.addPositions(trader, String(2 * amount));
      await world.invoice();
      const [invoice] = await world.invoicesOf(trader.id);
      const address = invoice?.payment_address as `0x${string}`;
      await chain.token.mint(address, usdt(amount));
      await world.pay(trader.id, usdt(amount));
      return { id: trader.id, address };
    },
    distribute: (communityId: string, body: object = {}) =>
      call<{ data: { payouts: { id: string }[] } }>(
        'POST',
        `/api/super-admin/communities/${communityId}/distribute`,
        body,
      ),
    /** Payouts of a community by type. */
    payoutsOf: (communityId: string) =>
      world.owner<PayoutRow>(
        `SELECT id, status, recipient_type, lower(recipient_address) AS recipient_address, problem,
           amount_units::text AS units, consolidate_transaction_hash, distribute_transaction_hash
         FROM payout WHERE community_id = $1 AND distribution_id IS NOT NULL ORDER BY created_at, id`,
        [communityId],
      ),
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
export type PayoutWorld = Awaited<ReturnType<typeof createPayoutWorld>>;

export interface Community {
  id: string;
  providerId: string;
  wallet: string;
}

interface PayoutRow extends Record<string, unknown> {
  id: string;
  status: string;
  recipient_type: string;
  recipient_address: string;
  problem: string | null;
  /** Base units. */
  units: string;
  consolidate_transaction_hash: string | null;
  distribute_transaction_hash: string | null;
}

/**
 * Checks the invariants of payouts, without the code under test: the ledger agrees with itself, every recipient has on
 * chain exactly the sum of its final payouts, and every wallet's balance equals the ledger's.
 */
export async function findUnpaid(
  world: Pick<InvoicingWorld, 'owner' | 'db'>,
  token: PayingChain['token'],
  communityId: string,
): Promise<string[]> {
  const wrong: string[] = [];
  const expect = (what: string, found: bigint, wanted: bigint) => {
    if (found !== wanted) wrong.push(`${what}: ${found} instead of ${wanted}`);
  };
  // Communities share recipients.
  const recipients = await world.owner<{ address: `0x${string}`; units: string }>(
    `SELECT lower(recipient_address) AS address,
       coalesce(sum(amount_units) FILTER (WHERE status = 'distributed'), 0)::text AS units
     FROM payout WHERE distribution_id IS NOT NULL GROUP BY 1`,
  );
  for (const { address, units } of recipients)
    expect(`paid to ${address}`, await token.balanceOf(address), BigInt(units));
  const wallets = await world.owner<{ address: `0x${string}`; units: string }>(
    `SELECT w.address, coalesce(b.posted, 0)::text AS units FROM chain_wallet w
     LEFT JOIN ledger_account a ON a.owner_id = w.owner_id AND a.kind IN ('deposit_wallet', 'community_wallet')
     LEFT JOIN ledger_balance b ON b.account_id = a.id
     WHERE w.role <> 'gas' AND (w.owner_id = $1 OR w.id IN (
       SELECT wallet_id FROM transfer WHERE community_id = $1))`,
    [communityId],
  );
  for (const { address, units } of wallets)
    expect(`held by ${address}`, await token.balanceOf(address), BigInt(units));
  const [row] = await world.owner<Record<string, string>>(
    `SELECT (SELECT coalesce(sum(amount), 0)::text FROM posting) AS postings,
       (SELECT count(*)::text FROM ledger_balance WHERE NOT allow_negative AND posted - pending < 0) AS overdrawn,
       (SELECT count(*)::text FROM chain_wallet w WHERE w.next_nonce <>
         w.first_nonce + (SELECT count(*) FROM transfer i WHERE i.wallet_id = w.id AND i.nonce >= w.first_nonce)) AS nonce_gaps,
       (SELECT count(*)::text FROM payable p JOIN payout o ON o.id = p.payout_id
         WHERE o.distribution_id IS NOT NULL AND (p.paid_at IS NOT NULL) <> (o.status = 'distributed')) AS unlike_payables`,
  );
  for (const [what, found] of Object.entries(row ?? {})) expect(what, BigInt(found), 0n);
  const mismatches = await world.db.read(ALL, (tx) => listMismatches(tx, null));
  if (mismatches.length > 0) wrong.push(JSON.stringify(mismatches));
  return wrong;
}
