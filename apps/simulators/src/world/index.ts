export { decimalText, FEES_INCLUDED } from './amounts.ts';
export { agentPrivateKeyOf, credentialsOf, type DemoCredentials } from './credentials.ts';
export { createDirectory, type DemoCommunity, type DemoProvider } from './directory.ts';
export { createHistory, type DemoInvoice, type DemoPosition } from './history.ts';
export { INSTRUMENTS, type Instrument } from './instruments.ts';
export { DEMO_HOT_WALLET, DEMO_OUTSIDE_WALLET, type DemoPoolAccount, demoPoolAccount } from './pools.ts';
export { markPriceAt, priceAt } from './prices.ts';
export { createSpareAccounts, type SpareAccount } from './spare-accounts.ts';
export { createSubscriptions, DEMO_PRICES, type DemoSubscription } from './subscriptions.ts';
export {
  type ChatState,
  createChats,
  demoBotToken,
  isOwnerChat,
  ownerTelegramUserIdOf,
  telegramUserIdOf,
} from './telegram-chats.ts';
export { createTrader, type DemoAccount, type DemoTrader } from './trader.ts';
export type { ClosedTrade, OpenTrade } from './trades.ts';
export { closedPositionsBetween, equityAt, openPositionsAt } from './trading.ts';
export { type AccountTraits, type Books, createTraits } from './traits.ts';
export {
  DEMO_GAS_WALLET,
  DEMO_TOKEN_ADDRESS,
  DEMO_TOKEN_OWNER,
  DEMO_WALLET_SEED,
  demoCommunityWallet,
  demoDepositAddress,
  demoPoolAddress,
  demoProxyWallet,
} from './wallets.ts';
export {
  createWorldAccount,
  createWorldAccounts,
  type WorldAccount,
  type WorldAccounts,
} from './world-accounts.ts';
