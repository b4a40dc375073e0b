export * from './business-defaults.ts';
export * from './catalogue.ts';
export * from './format.ts';
export * from './permissions.ts';
export * from './trader-status.ts';
export * from './vip.ts';
export * from './wallet-address.ts';
