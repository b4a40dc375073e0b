export * from './messages.ts';
export * from './retried.ts';
