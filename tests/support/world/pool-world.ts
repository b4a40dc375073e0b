import type { PooledAccount } from '@copydesk/contract/pools';
import { SETTING_DEFAULTS } from '@copydesk/domain/settings';
import type { PoolState } from '@copydesk/simulators/pools';
import { openPoolChain, startTradingBot } from '@copydesk/simulators/pools';
import { DEMO_HOT_WALLET, demoPoolAccount } from '@copydesk/simulators/world';
import { createOwnerLinks } from '../../../apps/server/src/core/outbox/owner-link.ts';
import { watchChain } from '../../../apps/server/src/features/deposits/watch/watch-chain.ts';
import { setUpPoolAddresses } from '../../../apps/server/src/features/pools/addresses/set-up-pool-addresses.ts';
import { createPoolDepositReceiver } from '../../../apps/server/src/features/pools/deposits/receive-pool-deposits.ts';
import type { HarvestWorker } from '../../../apps/server/src/features/pools/harvest/harvest-worker.ts';
import { takeHarvestTurn } from '../../../apps/server/src/features/pools/harvest/take-harvest-turn.ts';
import { sealPoolKey } from '../../../apps/server/src/features/pools/keys/pool-key-box.ts';
import { createProxyReceiver } from '../../../apps/server/src/features/pools/proxy/receive-arrivals.ts';
import type { TransferEngine } from '../../../apps/server/src/features/transfers/engine/engine.ts';
import { takeTransferTurn } from '../../../apps/server/src/features/transfers/engine/transfer-turn.ts';
import { reconcileWallets } from '../../../apps/server/src/features/transfers/reconciliation/reconcile-wallets.ts';
import { setUpWallets } from '../../../apps/server/src/features/transfers/wallets/set-up-wallets.ts';
import { createTradingBot } from '../../../apps/server/src/integrations/trading-bot/create-trading-bot.ts';
import { poolState, startSimulatedPools } from '../exchanges/simulated-pools.ts';
import { createFaultyRpc } from '../faulty-rpc.ts';
import { BOX, KEYRING, POOL_KEYS } from '../test-keys.ts';
import { watchOf } from './chain-watch.ts';
import { createOwingWorld } from './owing-world.ts';
import { createPayingChain } from './paying-chain.ts';
import { addPool } from './pools.ts';
import { engineOf, GAS_WALLET } from './transfer-engine.ts';
import { usdt } from './usdt.ts';

const BOT_SECRET = 'requests to the bot of a test';
const ACK_SECRET = 'acknowledgements of the bot of a test';
const COIN = 10n ** 18n;
/** The pools of the demo world have the ones before it. */
const FIRST_ACCOUNT = 11;
/** Further than two reads of a check have to be apart. */
const STEP_MS = 11_000;
/** Rounds after which a world that still moves is stuck. */
const MOST_ROUNDS = 60;

export interface WorldMember {
  id: string;
  traderId: string;
  /** Where the member pays in. */
  address: string;
  /** Where withdrawals go. */
  payoutAddress: string;
}

/**
 * Pools between a local chain, a simulated Bybit over sockets and a trading bot, with every worker's work taken in turns
 * by hand.
 */
export async function createPoolWorld({
  accounts = 1,
  speed = 0,
  env = {},
}: {
  accounts?: number;
  /** Further variables of the API. */
  env?: Record<string, string>;
  /** How fast time passes without being moved by hand, for workers in processes of their own. */
  speed?: number;
} = {}) {
  const chain = await createPayingChain();
  await chain.token.mint(DEMO_HOT_WALLET.address, usdt(10_000_000));
  const poolChain = await openPoolChain({
    rpcUrl: chain.url,
    token: chain.token.address,
    hotWallet: DEMO_HOT_WALLET,
  });
  const venue = await startSimulatedPools(
    Array.from({ length: accounts }, (_, nth) => poolState(FIRST_ACCOUNT + nth)),
    { speed, pools: { chain: poolChain, lookEveryMs: speed > 0 ? 200 : 1_000_000 } },
  );
  const world = await createOwingWorld({
    env: {
      TOKEN_ADDRESS: chain.token.address,
      CHAIN_ID: '56',
      EXCHANGE_BYBIT_URL: venue.url,
      TRADING_BOT_ACK_SECRETS: ACK_SECRET,
      ...env,
    },
    exchangeClock: venue.now,
    clock: () => new Date(venue.now()),
  });
  const url = await world.app.listen({ port: 0, host: '127.0.0.1' });
  const uids = new Map<string, string>();
  /** The pools whose cycles a round looks at. */
  const awake = new Set<string>();
  const bot = await startTradingBot({
    pools: venue.pools,
    uidOf: (poolId) => uids.get(poolId) ?? null,
    secret: BOT_SECRET,
    acknowledge: { url: `${url}/api/webhooks/trading-bot`, secret: ACK_SECRET },
    delayMs: 0,
    now: venue.now,
    tradeEveryMs: 3_600_000,
  });
  await world.owner('UPDATE community SET internal_wallet_address = NULL');
  const rpc = await createFaultyRpc(chain.url);
  let isCut = false;
  const place = { url: rpc.url, tokenAddress: chain.token.address };
  const engineWith = (changes: Partial<TransferEngine> = {}) => engineOf(world, place, changes);
  const engine = engineWith();
  await setUpWallets(engine);
  await chain.giveCoin(GAS_WALLET, 100n * COIN);
  await world.owner('DELETE FROM chain_cursor');

  const worker: HarvestWorker = {
    db: world.db,
    log: world.log,
    poolKeys: POOL_KEYS,
    links: createOwnerLinks(KEYRING, 'http://localhost', 'pool'),
    venue: venue.reads,
    bot: createTradingBot(
      { url: bot.url, secret: BOT_SECRET, timeoutMs: 2_000 },
      { now: () => new Date(venue.now()) },
    ),
    now: () => new Date(venue.now()),
    settings: { current: () => SETTING_DEFAULTS },
    chain: {
      chainId: 56,
      tokenAddress: chain.token.address,
      rules: { addressHoldHours: 24, maximumUnits: null },
      // No sender of messages runs here.
      noticeMinutes: 0,
    },
  };

  async function readChain(): Promise<void> {
    const receivers = [
      createPoolDepositReceiver({ log: world.log }),
      createProxyReceiver({ log: world.log }),
    ];
    while (await watchChain(watchOf(world, chain, { receivers, rpcUrls: [rpc.url] }))) {
      // until the final block
    }
  }

  // The first read only notes where reading begins.
  await chain.finalize();
  await readChain();

  /** A worker that cannot reach the chain takes another turn later. */
  const unlessCut = (work: () => Promise<void>) =>
    work().catch((error) => {
      if (!isCut) throw error;
    });

  /** One round of every worker: the venue, the chain, the cycles and the transfers. */
  async function round(changes: Partial<HarvestWorker> = {}): Promise<void> {
    await venue.pools.look();
    await unlessCut(readChain);
    await world.owner(
      'UPDATE harvest_cycle SET look_at = $1 WHERE ended_at IS NULL AND pooled_account_id = ANY ($2::uuid[])',
      [new Date(venue.now()), [...awake]],
    );
    const takeTurn = () =>
      takeHarvestTurn({ ...worker, ...changes }).catch((error) => {
        // The work loop takes another turn after one that fails.
        if (!changes.atPoint) throw error;
        return false;
      });
    while (await takeTurn()) {
      // until no cycle is due
    }
    await world.owner('UPDATE transfer SET retry_at = NULL WHERE retry_at IS NOT NULL');
    await unlessCut(async () => {
      while (await takeTransferTurn(engine)) {
        // until it waits for blocks
      }
    });
    await chain.finalize();
    venue.advance(STEP_MS);
  }

  /** The pools so far rest: rounds pass them by, so that a file's tests do not pay for the pools of those before. */
  async function rest(): Promise<void> {
    await world.owner(
      `UPDATE harvest_cycle SET look_at = '9999-01-01' WHERE ended_at IS NULL AND pooled_account_id = ANY ($1::uuid[])`,
      [[...awake]],
    );
    awake.clear();
  }

  /** Balances of the pool's own accounts, in base units, without those that are empty. */
  async function booksOf(poolId: string): Promise<Record<string, bigint>> {
    const rows = await world.owner<{ kind: string; posted: string }>(
      `SELECT a.kind, b.posted::text AS posted FROM ledger_account a JOIN ledger_balance b ON b.account_id = a.id
       WHERE a.owner_id = $1 AND b.posted <> 0`,
      [poolId],
    );
    return Object.fromEntries(rows.map(({ kind, posted }) => [kind, BigInt(posted)]));
  }

  const pool = async (poolId: string, as = world.token): Promise<PooledAccount> => {
    const params = { id: poolId };
    const { status, body } = await world.ask('GET /api/pooled-accounts/{id}', { params }, {}, as);
    if (status !== 200) throw new Error(`the pool cannot be read: ${status} ${JSON.stringify(body)}`);
    return body.data;
  };

  const act = (poolId: string, body: object, as = world.token) =>
    world.askAnything('POST /api/pooled-accounts/{id}/harvest', { params: { id: poolId }, body }, {}, as);

  /** Rounds until the pool has this status, or the step within it. @throws Error when it gets stuck */
  async function until(
    poolId: string,
    wanted: string,
    changes: Partial<HarvestWorker> = {},
  ): Promise<PooledAccount> {
    for (let nth = 0; nth < MOST_ROUNDS; nth += 1) {
      const found = await pool(poolId);
      const { status, step } = found.current_harvest_cycle;
      if (wanted === status || wanted === `${status}/${step}`) return found;
      await round(changes);
    }
    const { current_harvest_cycle: cycle } = await pool(poolId);
    throw new Error(`stuck in ${cycle.status}/${cycle.step}: ${cycle.reason}, not ${wanted}`);
  }

  /** An open pool of a new community, with this account at the venue and these members, without any money. */
  async function addOpenPool({ account = 1, members = 2, hasBot = true, providers = true } = {}) {
    const community = await world.addCommunity(null);
    await setUpWallets(engine);
    await world.owner(
      `UPDATE community SET owner_name = 'Olga', owner_telegram_id = $2, owner_language = 'en' WHERE id = $1`,
      [community.id, 9_000 + account],
    );
    const poolId = await addPool(world.owner, community.id, { status: 'harvesting', step: 'open' });
    const { uid, credentials, depositAddress } = demoPoolAccount(FIRST_ACCOUNT - 1 + account);
    uids.set(poolId, uid);
    awake.add(poolId);
    await world.owner(
      `UPDATE pooled_account SET bybit_uid = $2, has_bot = $3, bybit_deposit_address = $4,
           bybit_deposit_address_from = created_at, minimum_deposit_units = 1 WHERE id = $1`,
      [poolId, uid, hasBot, depositAddress],
    );
    for (const row of await sealPoolKey({ keyring: KEYRING, box: BOX }, poolId, credentials))
      await world.owner(
        `INSERT INTO pool_key (pooled_account_id, field, version, ciphertext, recipient, fingerprint)
           VALUES ($1, $2, $3, $4, $5, $6)`,
        [poolId, row.field, row.version, row.ciphertext, row.recipient, row.fingerprint],
      );
    const joined: WorldMember[] = [];
    for (let nth = 0; nth < members; nth += 1) {
      const payoutAddress = `0x${(account * 1_000 + nth + 1).toString(16).padStart(40, 'a')}`;
      const trader = await world.addTrader({
        community_id: community.id,
        external_wallet_address: payoutAddress,
        ...(providers && { selected_provider_id: community.providerId }),
      });
      const { body } = await world.ask('POST /api/pooled-accounts/{id}/traders', {
        params: { id: poolId },
        body: { trader_id: trader.id },
      });
      joined.push({ id: body.data.id, traderId: trader.id, address: '', payoutAddress });
    }
    await setUpPoolAddresses(engine);
    const addresses = await world.owner<{ id: string; address: string }>(
      'SELECT id, deposit_address AS address FROM pool_member WHERE pooled_account_id = $1',
      [poolId],
    );
    const addressOf = new Map(addresses.map((row) => [row.id, row.address]));
    for (const member of joined) member.address = addressOf.get(member.id) as string;
    const [row] = await world.owner<{ proxy: `0x${string}` }>(
      'SELECT proxy_address AS proxy FROM pooled_account WHERE id = $1',
      [poolId],
    );
    return { poolId, uid, community, members: joined, proxy: row?.proxy as `0x${string}` };
  }

  /** The same with these amounts paid in on chain, in whole USDT, and sent to the exchange: it trades. */
  async function addTradingPool({ account = 1, amounts = [1_000], hasBot = true } = {}) {
    const added = await addOpenPool({ account, members: amounts.length, hasBot });
    for (const [nth, amount] of amounts.entries())
      await chain.pay(added.members[nth]?.address as string, usdt(amount));
    await chain.finalize();
    const total = amounts.reduce((sum, amount) => sum + amount, 0);
    for (
      let nth = 0;
      nth < MOST_ROUNDS && Number((await pool(added.poolId)).total_virtual_balance) < total;
      nth += 1
    )
      await round();
    const { status, body } = await act(added.poolId, { action: 'stop' });
    if (status !== 200) throw new Error(`not stopped: ${JSON.stringify(body)}`);
    await until(added.poolId, 'stopped');
    return added;
  }

  /** Rounds until no transfer of the pool's community is under way and no fee or request waits. */
  async function untilQuiet(poolId: string): Promise<void> {
    for (let nth = 0; nth < MOST_ROUNDS; nth += 1) {
      await round();
      const [left] = await world.owner<{ count: number }>(
        `SELECT ((SELECT count(*) FROM transfer t JOIN pooled_account p ON p.community_id = t.community_id
             WHERE p.id = $1 AND t.state IN ('planned', 'sent'))
           + (SELECT count(*) FROM pool_withdrawal w
             WHERE w.pooled_account_id = $1 AND w.state IN ('queued', 'reserved', 'paying')))::int AS count`,
        [poolId],
      );
      if (left?.count === 0) return;
    }
    throw new Error('the flows of the pool do not end');
  }

  return {
    ...world,
    untilQuiet,
    chain,
    venue,
    bot,
    botSecret: BOT_SECRET,
    worker,
    engine,
    engineWith,
    readChain,
    round,
    rest,
    pool,
    booksOf,
    addOpenPool,
    addTradingPool,
    act,
    until,
    /** A result of trading, with its line in the exchange's log. */
    earn: (uid: string, units: bigint) => venue.pools.earn(uid, units),
    messagesOf: (communityId: string) =>
      world.owner<{ kind: string; text: string; state: string }>(
        'SELECT kind, text, state FROM message WHERE community_id = $1 ORDER BY created_at',
        [communityId],
      ),
    cyclesOf: (poolId: string, cycleNumber: number) =>
      world.owner<{ id: string; result: string | null }>(
        `SELECT id, result_units::text AS result FROM harvest_cycle
         WHERE pooled_account_id = $1 AND cycle_number = $2`,
        [poolId, cycleNumber],
      ),
    /** Every member's part of a cycle, in base units. */
    async allocationsOf(cycleId: string) {
      const rows = await world.owner<{
        id: string;
        allocated: string;
        fee: string;
        after: string;
        carry: string;
      }>(
        `SELECT member_id AS id, allocated_units::text AS allocated, fee_units::text AS fee,
           capital_after_units::text AS after, carry_after_units::text AS carry
         FROM harvest_allocation WHERE cycle_id = $1 ORDER BY place`,
        [cycleId],
      );
      return rows.map(({ id, allocated, fee, after, carry }) => ({
        memberId: id,
        allocated: BigInt(allocated),
        fee: BigInt(fee),
        after: BigInt(after),
        carry: BigInt(carry),
      }));
    },
    /** The internal wallet of a community. */
    async walletOf(communityId: string) {
      const [row] = await world.owner<{ address: `0x${string}` }>(
        'SELECT internal_wallet_address AS address FROM community WHERE id = $1',
        [communityId],
      );
      return row?.address as `0x${string}`;
    },
    /** Cuts the workers off from the chain, which goes on without them; null: they reach it again. */
    cutChain(cut: boolean): void {
      isCut = cut;
      rpc.behave((_, forward) => (cut ? Promise.resolve(null) : forward()));
    },
    /** The account at the venue, changed by hand. */
    change: (uid: string, act: (account: PoolState) => void) => venue.pools.change(uid, act),
    /** Wallets whose tokens differ from the books. */
    differing: () => reconcileWallets({ ...engine, tokenAddress: chain.token.address.toLowerCase() }),
    async close() {
      await bot.close();
      await rpc.close();
      await world.close();
      await venue[Symbol.asyncDispose]();
      await chain.stop();
    },
  };
}
export type PoolWorld = Awaited<ReturnType<typeof createPoolWorld>>;
