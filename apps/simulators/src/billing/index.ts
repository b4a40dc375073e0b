export { seedDemoBilling } from './demo-billing.ts';
export type { Price } from './prices.ts';
export { type BillingOptions, type RunningBilling, startBilling } from './start-billing.ts';
