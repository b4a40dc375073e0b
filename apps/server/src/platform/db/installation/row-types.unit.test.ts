import { expect, test } from 'vitest';
import { readMigrations } from './migrate.ts';

const FUNCTION = /CREATE (?:OR REPLACE )?FUNCTION app\.\w+\((\w+) (\w+)\)/g;
const TABLE = /CREATE TABLE (\w+)/g;
/** What has PostgreSQL write every row anew, or would once have. */
const REWRITES = /ADD COLUMN[^,;]*\bDEFAULT\b|ALTER COLUMN \w+ (?:SET DATA )?TYPE\b/;

// PostgreSQL 15.20, and the other releases of its day, refuse it: the rows that such a function keeps would be of
// another shape.
test('no column with a default is added to a table whose row type a function takes', async () => {
  const tables = new Set<string>();
  const taken = new Set<string>();
  const offences: string[] = [];
  for (const { name, text } of await readMigrations()) {
    for (const statement of text.replace(/^\s*--.*$/gm, '').split(/;\s*\n/)) {
      const altered = /ALTER TABLE (?:IF EXISTS )?(\w+)/.exec(statement)?.[1];
      if (altered && taken.has(altered) && REWRITES.test(statement)) offences.push(`${name}: ${altered}`);
      for (const [, table = ''] of statement.matchAll(TABLE)) tables.add(table);
      for (const [, , type = ''] of statement.matchAll(FUNCTION)) if (tables.has(type)) taken.add(type);
    }
  }
  expect([...taken].sort()).toEqual(['audit_entry', 'invoice', 'invoice_deduction', 'pool_exchange_request']);
  expect(offences).toEqual([]);
});
