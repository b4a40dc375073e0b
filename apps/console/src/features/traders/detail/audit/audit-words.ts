import type { AuditEntry } from './audit-query.ts';

/** `exchange.credential_revealed` in plain words. */
export function actionWords(action: string): string {
  const words = action.replace(/[._]/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export interface AuditChange {
  field: string;
  /** Null: there was no value before, or the entry does not contain it. */
  from: string | null;
  to: string | null;
}

/** The changes of an entry, field by field. */
export function auditChanges({ before, after }: Pick<AuditEntry, 'before' | 'after'>): AuditChange[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return names
    .map((name) => ({
      field: name.replaceAll('_', ' '),
      from: written(before?.[name]),
      to: written(after?.[name]),
    }))
    .filter(({ from, to }) => from !== to);
}

function written(value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
