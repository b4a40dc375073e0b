import { LedgerError } from '@copydesk/domain';

/**
 * Whether an error is a rule's: the ledger's, or the database's (SQLSTATE classes 22 and 23). The same transaction would
 * meet it again, so repeating it is no use.
 */
export function isRefusedByRules(error: unknown): boolean {
  return error instanceof LedgerError || /^2[23]/.test((error as { code?: string }).code ?? '');
}
