export * from './distributions.ts';
export * from './payout-runs.ts';
export * from './payouts.ts';
export * from './recipients.ts';
export * from './retries.ts';
