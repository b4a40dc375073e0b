export * from './exchange-bot.ts';
export * from './exchange-bot-answers.ts';
export * from './exchange-bot-messages.ts';
export * from './exchange-bot-sales.ts';
export * from './platform-bot.ts';
