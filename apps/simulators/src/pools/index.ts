export { createPools, type PoolsOptions, type SimulatedPools } from './create-pools.ts';
export { openPoolChain, type PoolChain } from './pool-chain.ts';
export { COIN_RULES } from './pool-money.ts';
export { createPoolState, type PoolState } from './pool-state.ts';
