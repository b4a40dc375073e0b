export * from './message-plan.ts';
export * from './messages.ts';
