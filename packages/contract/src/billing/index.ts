export * from './billing.ts';
export * from './billing-event.ts';
