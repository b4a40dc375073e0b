import { openDemoToken } from '../chain/demo-token.ts';
import type { Outbox } from '../telegram/index.ts';
import {
  DEMO_HOT_WALLET,
  DEMO_OUTSIDE_WALLET,
  DEMO_TOKEN_OWNER,
  demoPoolAccount,
  ownerTelegramUserIdOf,
} from '../world/index.ts';
import type { Acknowledge } from './acknowledge.ts';
import { createPools, type SimulatedPools } from './create-pools.ts';
import { OWNER_HABITS } from './owner-habits.ts';
import { startOwners } from './owners.ts';
import { openPoolChain } from './pool-chain.ts';
import { createPoolState } from './pool-state.ts';
import type { RecordFaults } from './record-faults.ts';
import { type RunningTradingBot, startTradingBot } from './trading-bot.ts';

/** What the venue pays withdrawals from besides deposits: other customers' money. */
const RESERVE = 1_000_000n * 10n ** 18n;

export interface DemoPoolsOptions {
  /** Accounts with the numbers 1 to `count`. The bot takes the number of an account for the id of its pool. */
  count: number;
  chainUrl: string;
  outbox: Pick<Outbox, 'list'>;
  faults: RecordFaults;
  /** Null: pools are lost with the program. */
  stateFile: string | null;
  /** USDT in the unified wallet of an account by its number, in base units, at its first start. It trades then. */
  funds: ReadonlyMap<number, bigint>;
  /** Null: no bot takes requests, and accounts with funds trade on. */
  bot: { port: number; secret: string; acknowledge: Acknowledge } | null;
}

/** Positions of funded accounts are open for this long. */
const TRADE_EVERY_MS = 30 * 60_000;

/**
 * The pools of the demo world: their accounts at the venue, on the local chain; their owners, most of whom withdraw
 * promptly; and the bot that trades them.
 */
export async function startDemoPools(
  options: DemoPoolsOptions,
): Promise<{ pools: SimulatedPools; bot: RunningTradingBot | null; stop(): Promise<void> }> {
  const { count, chainUrl, outbox, faults, stateFile, funds } = options;
  const accounts = Array.from({ length: count }, (_, nth) => demoPoolAccount(nth + 1));
  const token = await openDemoToken(chainUrl, DEMO_TOKEN_OWNER);
  // At the start, before traders pay: they use the minting key as well.
  for (const { address } of [DEMO_HOT_WALLET, DEMO_OUTSIDE_WALLET]) {
    const reserve = await token.balanceOf(address);
    if (reserve < RESERVE) await token.mint(address, RESERVE - reserve);
  }
  const chain = await openPoolChain({ rpcUrl: chainUrl, token: token.address, hotWallet: DEMO_HOT_WALLET });
  const pools = createPools({
    faults,
    stateFile,
    chain,
    accounts: accounts.map(({ index, uid, credentials, depositAddress }) =>
      createPoolState({ ...credentials, uid, depositAddress, unified: funds.get(index) ?? 0n }),
    ),
  });
  for (const { index, uid } of accounts)
    if (funds.has(index) && pools.get(uid).trades === 0) pools.startTrading(uid, TRADE_EVERY_MS);
  const owners = startOwners({
    pools,
    outbox,
    owners: accounts.map(({ uid, index }) => ({
      uid,
      chatId: ownerTelegramUserIdOf(index),
      // Every fourth owner has a habit of another kind.
      habit: index % 4 === 0 ? (OWNER_HABITS[(index / 4) % OWNER_HABITS.length] ?? 'prompt') : 'prompt',
    })),
    sendFromOutside: (to, units) => token.transfer(DEMO_OUTSIDE_WALLET, to, units),
  });
  const uids = new Map(accounts.map(({ index, uid }) => [String(index), uid]));
  const bot =
    options.bot &&
    (await startTradingBot({ ...options.bot, pools, uidOf: (poolId) => uids.get(poolId) ?? null }));
  return {
    pools,
    bot,
    async stop() {
      owners.stop();
      await bot?.close();
      await pools.close();
    },
  };
}
