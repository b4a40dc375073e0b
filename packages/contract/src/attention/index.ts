export { type AttentionItem, attentionCalls, attentionEntry } from './attention.ts';
export { attentionMailCalls } from './attention-mail.ts';
