export * from './business-defaults.ts';
export * from './platform-settings.ts';
