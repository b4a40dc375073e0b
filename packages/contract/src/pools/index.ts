export * from './harvest.ts';
export * from './harvest-run.ts';
export * from './pool-arrivals.ts';
export * from './pool-owner.ts';
export * from './pool-requests.ts';
export * from './pool-statement.ts';
export * from './pools.ts';
export * from './trading-bot.ts';
