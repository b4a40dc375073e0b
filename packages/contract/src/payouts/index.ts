export * from './distributions.ts';
export * from './payouts.ts';
export * from './retries.ts';
