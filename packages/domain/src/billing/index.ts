export * from './billing-reminders.ts';
export * from './subscription.ts';
