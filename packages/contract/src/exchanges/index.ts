export * from './exchanges.ts';
