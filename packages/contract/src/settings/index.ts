export * from './platform-settings.ts';
export * from './saved-views.ts';
