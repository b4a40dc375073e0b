export * from './differences.ts';
export * from './invoice-acts.ts';
export * from './invoice-detail.ts';
export * from './invoices.ts';
export * from './invoicing.ts';
export * from './payments.ts';
