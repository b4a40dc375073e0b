export * from './decimals.ts';
export * from './format.ts';
export * from './order-units.ts';
export * from './shown-parts.ts';
export * from './token-units.ts';
export * from './wallet-address.ts';
