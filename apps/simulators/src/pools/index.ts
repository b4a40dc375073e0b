export { createPools, type PoolsOptions, type SimulatedPools } from './create-pools.ts';
export { OWNER_HABITS, type OwnerHabit } from './owner-habits.ts';
export { type Owner, type RunningOwners, startOwners } from './owners.ts';
export { openPoolChain, type PoolChain } from './pool-chain.ts';
export { COIN_RULES } from './pool-money.ts';
export { createPoolState, type PoolState } from './pool-state.ts';
export { type DemoPoolsOptions, startDemoPools } from './start-pools.ts';
export {
  type BotBehaviour,
  type RunningTradingBot,
  startTradingBot,
  type TradingBotOptions,
} from './trading-bot.ts';
