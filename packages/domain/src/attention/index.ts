export * from './attention-kinds.ts';
