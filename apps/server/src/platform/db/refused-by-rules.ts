import { LedgerError } from '@copydesk/domain/ledger';

/**
 * Whether a rule of the ledger or of the database (SQLSTATE classes 22 and 23) refused the write. Retrying is useless:
 * the same transaction would fail the same way.
 */
export function isRefusedByRules(error: unknown): boolean {
  return error instanceof LedgerError || /^2[23]/.test((error as { code?: string }).code ?? '');
}

/**
 * What PostgreSQL says of a value that no column takes: a check constraint, a number or a time out of range, a text that
 * is no number, time or UUID, or characters that it does not store.
 */
const REFUSED_VALUES = new Set(['23514', '22003', '22007', '22008', '22P02', '22021', '22P05']);

/** Whether the database refused a value of a request that a schema should have refused before. */
export function isRefusedValue(error: unknown): boolean {
  return error instanceof Error && REFUSED_VALUES.has((error as { code?: string }).code ?? '');
}
