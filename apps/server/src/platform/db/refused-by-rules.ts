import { LedgerError } from '@copydesk/domain';

/**
 * Whether a rule of the ledger or of the database (SQLSTATE classes 22 and 23) refused the write. Retrying is useless:
 * the same transaction would fail the same way.
 */
export function isRefusedByRules(error: unknown): boolean {
  return error instanceof LedgerError || /^2[23]/.test((error as { code?: string }).code ?? '');
}
