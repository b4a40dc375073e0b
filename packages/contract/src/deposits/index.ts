export * from './deposits.ts';
