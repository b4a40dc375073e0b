export { createDirectory, type DemoCommunity, type DemoProvider } from './directory.ts';
export { createHistory, type DemoInvoice, type DemoPosition } from './history.ts';
export { createRandom, type Random } from './random.ts';
export { createTrader, type DemoAccount, type DemoTrader } from './trader.ts';
