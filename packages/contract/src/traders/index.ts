export * from './trader-history.ts';
export * from './traders.ts';
