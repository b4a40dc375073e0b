import { LedgerError } from '@copydesk/domain/ledger';

/**
 * Whether a rule of the ledger or of the database (SQLSTATE classes 22 and 23) refused the write. Retrying is useless:
 * the same transaction would fail the same way.
 */
export function isRefusedByRules(error: unknown): boolean {
  return error instanceof LedgerError || /^2[23]/.test((error as { code?: string }).code ?? '');
}

/**
 * SQLSTATEs for a value that no column takes: a check constraint, a number or a time out of range, a text
 * that is no number, time or UUID, or characters that PostgreSQL does not store.
 */
const REFUSED_VALUES = new Set(['23514', '22003', '22007', '22008', '22P02', '22021', '22P05']);

/**
 * SQLSTATEs for a row that does not fit the others: a trigger of ours, a unique or excluding constraint, a
 * reference.
 * Calls that expect one turn it into their own refusal. The rest come from rules of a newer version, or from
 * a change that another person made at the same moment.
 */
const REFUSED_ROWS = new Set(['23000', '23505', '23P01', '23503', '23001']);

/** Whether the database refused a request that a schema or a check of ours should have refused before. */
export function isRefusedRequest(error: unknown): boolean {
  const { code = '' } = error as { code?: string };
  return error instanceof Error && (REFUSED_VALUES.has(code) || REFUSED_ROWS.has(code));
}
