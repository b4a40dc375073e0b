export * from './communities.ts';
export * from './community-figures.ts';
export * from './community-providers.ts';
