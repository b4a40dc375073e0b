export * from './bulk-acts.ts';
