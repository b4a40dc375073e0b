export * from './trader-source.ts';
export * from './trader-status.ts';
export * from './vip.ts';
