export * from './distributions.ts';
export * from './payouts.ts';
