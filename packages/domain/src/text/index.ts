export * from './email-address.ts';
export * from './formula-guard.ts';
export * from './name-order.ts';
export * from './pasted-text.ts';
export * from './payment-traps.ts';
