import { ACCOUNT_KIND_NAMES, ACCOUNT_KINDS, type AccountKind } from './ledger-accounts.ts';

/** Whose accounts have a statement. */
export const STATEMENT_OWNERS = ['trader', 'community', 'pool', 'member', 'invoice', 'platform'] as const;
export type StatementOwner = (typeof STATEMENT_OWNERS)[number];

/** Accounts of invoices that are read together, for whom the invoices are of. */
const THROUGH_INVOICES: Partial<Record<StatementOwner, readonly AccountKind[]>> = {
  /** What it owes. */
  trader: ['receivable'],
  /** What its traders owe, and what it gets of that. */
  community: ['receivable', 'payable_community'],
};

/** Whether accounts of a kind belong to an owner by way of its invoices. */
export function isThroughInvoices(owner: StatementOwner, kind: AccountKind): boolean {
  return THROUGH_INVOICES[owner]?.includes(kind) ?? false;
}

/** The kinds of accounts that a statement of an owner can be about, those of its invoices first. */
export function statementAccounts(owner: StatementOwner): AccountKind[] {
  const own = ACCOUNT_KIND_NAMES.filter((kind) => {
    const { owner: of } = ACCOUNT_KINDS[kind];
    return of === owner || (of === 'payer' && (owner === 'community' || owner === 'platform'));
  });
  return [...(THROUGH_INVOICES[owner] ?? []), ...own];
}
