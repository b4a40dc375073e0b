export * from './business-defaults.ts';
export * from './lists.ts';
export * from './person-settings.ts';
export * from './platform-settings.ts';
