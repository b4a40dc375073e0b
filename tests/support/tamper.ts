/**
 * Writes what no rule of the database allows, as its owner could, who has no key of the audit.
 * @param tables of facts that the statement changes
 */
export async function tamperWith(
  { owner }: { owner: (statement: string) => Promise<unknown> },
  tables: readonly string[],
  statement: string,
): Promise<void> {
  const all = (what: string) =>
    [...tables, 'audit_entry', 'audit_seal'].map((table) => `ALTER TABLE ${table} ${what}`).join('; ');
  await owner(`${all('DISABLE TRIGGER USER')}; ALTER TABLE audit_entry NO FORCE ROW LEVEL SECURITY`);
  try {
    await owner(statement);
  } finally {
    await owner(`${all('ENABLE TRIGGER USER')}; ALTER TABLE audit_entry FORCE ROW LEVEL SECURITY`);
  }
}

/** Statements that remove entries of the audit without a trace in it. @param where a condition over `audit_entry e` */
export const removedFromAudit = (where: string): string =>
  `${['audit_seal', 'audit_unsealed']
    .map((table) => `DELETE FROM ${table} WHERE seq IN (SELECT seq FROM audit_entry e WHERE ${where});`)
    .join(' ')}
   DELETE FROM audit_entry e WHERE ${where}`;
