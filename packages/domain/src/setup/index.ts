export * from './checklist.ts';
export * from './community-checklist.ts';
export * from './proposed-limits.ts';
