export * from './audit.ts';
export * from './security-log.ts';
