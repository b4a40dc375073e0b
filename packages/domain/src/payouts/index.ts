export * from './distribution-progress.ts';
export * from './payout-period.ts';
export * from './payout-states.ts';
export * from './payout-steps.ts';
export * from './payouts.ts';
export * from './send-refusals.ts';
export * from './topups.ts';
export * from './transfers.ts';
