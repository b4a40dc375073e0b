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
import { startDepositingMembers } from './depositing-members.ts';
import { OWNER_HABITS } from './owner-habits.ts';
import { startOwners } from './owners.ts';
import { openPoolChain } from './pool-chain.ts';
import { createPoolState } from './pool-state.ts';
import type { TradingPace } from './pool-trading.ts';
import type { RecordFaults } from './record-faults.ts';
import { type RunningTradingBot, startTradingBot } from './trading-bot.ts';

/** What the venue pays withdrawals from besides deposits: other customers' money. */
const RESERVE = 1_000_000n * 10n ** 18n;

export interface DemoPoolsOptions {
  /** Accounts with the numbers 1 to `count`. */
  count: number;
  /** The ids of pools that the bot trades, by the numbers of their accounts; the others are traded by hand. */
  ids: ReadonlyMap<number, string>;
  chainUrl: string;
  outbox: Pick<Outbox, 'list'>;
  faults: RecordFaults;
  /** Null: pools are lost with the program. */
  stateFile: string | null;
  /** USDT in the unified wallet of an account by its number, in base units, at its first start. It trades then. */
  funds: ReadonlyMap<number, bigint>;
  /** Members with the numbers 1 to `members` pay into their pools. */
  members: number;
  /** Null: no bot takes requests, and accounts with funds trade on. */
  bot: { port: number; secret: string; acknowledge: Acknowledge } | null;
}

/** The worker reads the chain by then: a transfer that arrives earlier is no deposit. */
const FIRST_DEPOSIT_AFTER_MS = 45_000;
const DEPOSIT_EVERY_MS = 20_000;
const MOST_DEPOSITS = 6;
/** Funded accounts open a position this often; in between a harvest can start. */
const TRADE_EVERY_MS = 10 * 60_000;
/** By hand, positions are closed at once: a person pauses between two of them. */
const BY_HAND = { everyMs: TRADE_EVERY_MS, openMs: 1_000 };

/**
 * The pools of the demo world: their accounts at the venue, on the local chain; their owners, most of whom withdraw
 * promptly; and the bot that trades them.
 */
export async function startDemoPools(
  options: DemoPoolsOptions,
): Promise<{ pools: SimulatedPools; bot: RunningTradingBot | null; stop(): Promise<void> }> {
  const { count, ids, chainUrl, outbox, faults, stateFile, funds, members } = options;
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
  const paceOf = (index: number): TradingPace => (ids.has(index) ? { everyMs: TRADE_EVERY_MS } : BY_HAND);
  for (const { index, uid } of accounts) {
    const pace = paceOf(index);
    const { trading, trades } = pools.get(uid);
    // Traded at another pace: by a bot, or by an earlier version of this program.
    if (trading && trading.openMs !== pace.openMs) pools.stopTrading(uid);
    if ((funds.has(index) && trades === 0) || trading) pools.startTrading(uid, pace.everyMs, pace.openMs);
  }
  const owners = startOwners({
    pools,
    outbox,
    owners: accounts.map(({ uid, index }) => ({
      uid,
      chatId: ownerTelegramUserIdOf(index),
      ...(!ids.has(index) && { tradesByHand: BY_HAND }),
      // Every fourth owner has a habit of another kind.
      habit: index % 4 === 0 ? (OWNER_HABITS[(index / 4) % OWNER_HABITS.length] ?? 'prompt') : 'prompt',
    })),
    sendFromOutside: (to, units) => token.transfer(DEMO_OUTSIDE_WALLET, to, units),
  });
  const depositing = startDepositingMembers({
    count: members,
    pay: (to, units) => token.transfer(DEMO_OUTSIDE_WALLET, to, units),
    firstAfterMs: FIRST_DEPOSIT_AFTER_MS,
    everyMs: DEPOSIT_EVERY_MS,
    most: members > 0 ? MOST_DEPOSITS : 0,
  });
  const uids = new Map(accounts.map(({ index, uid }) => [ids.get(index), uid]));
  const bot =
    options.bot &&
    (await startTradingBot({
      ...options.bot,
      pools,
      uidOf: (poolId) => uids.get(poolId) ?? null,
      tradeEveryMs: TRADE_EVERY_MS,
    }));
  return {
    pools,
    bot,
    async stop() {
      owners.stop();
      await depositing.stop();
      await bot?.close();
      await pools.close();
    },
  };
}
