export * from './accounts.ts';
export * from './exchanges.ts';
