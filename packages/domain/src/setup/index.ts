export * from './checklist.ts';
export * from './proposed-limits.ts';
