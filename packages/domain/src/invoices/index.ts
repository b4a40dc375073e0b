export * from './amount-basis.ts';
export * from './community-split.ts';
export * from './deductions.ts';
export * from './invoice-badges.ts';
export * from './invoices.ts';
export * from './invoicing.ts';
export * from './payments.ts';
export * from './split.ts';
