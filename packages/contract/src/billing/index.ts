export * from './billing.ts';
export * from './billing-event.ts';
export * from './payment-link.ts';
