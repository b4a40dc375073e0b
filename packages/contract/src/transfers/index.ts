export * from './orders.ts';
export * from './payment-stops.ts';
export * from './wallets.ts';
