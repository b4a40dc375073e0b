export * from './attention-kinds.ts';
export * from './attention-mail.ts';
