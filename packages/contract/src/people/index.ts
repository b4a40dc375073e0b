export * from './hosted-event.ts';
export * from './identity.ts';
export * from './person-settings.ts';
export * from './second-factors.ts';
export * from './waitlist.ts';
