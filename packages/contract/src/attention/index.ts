export { type AttentionItem, attentionCalls, attentionEntry } from './attention.ts';
