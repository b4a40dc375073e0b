export * from './bot-texts.ts';
export * from './conversation.ts';
export * from './coupons.ts';
export * from './sales.ts';
export * from './update-rate.ts';
