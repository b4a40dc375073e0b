// What `npm start` loads of the demo world, when it is asked for one.
export { billingSettings } from './demo-billing.ts';
export { botSettings } from './demo-bot.ts';
export { chainSettings } from './demo-chain.ts';
export { findDemoExchanges } from './demo-exchanges.ts';
export { telegramSettings } from './demo-telegram.ts';
export { actInDemoWorld } from './first-acts.ts';
export { seedDemoWorld } from './seed.ts';
