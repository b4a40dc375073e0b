// What persons choose for themselves, without the settings of the platform: the console's first screen loads these.
export * from '../settings/lists.ts';
export * from '../settings/person-settings.ts';
