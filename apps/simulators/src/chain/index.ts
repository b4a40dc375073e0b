export { type DemoToken, openDemoToken } from './demo-token.ts';
export { findFreePort } from './free-port.ts';
export { CHAIN_ID, type LocalChain, startChain } from './start-chain.ts';
