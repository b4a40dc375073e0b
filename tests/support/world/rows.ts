import { asOwner } from '../owner.ts';

/** Runs a statement as the owner of the schema. */
export type Owner = <R extends Record<string, unknown>>(text: string, values?: unknown[]) => Promise<R[]>;

export const ownerOf =
  (ownerUrl: string): Owner =>
  (text, values) =>
    asOwner(ownerUrl, text, values);

/** Inserts a row with these columns, and returns its id. */
export async function insertRow(
  owner: Owner,
  table: string,
  fields: Record<string, unknown>,
): Promise<string> {
  const names = Object.keys(fields);
  const [row] = await owner<{ id: string }>(
    `INSERT INTO ${table} (${names}) VALUES (${names.map((_, n) => `$${n + 1}`)}) RETURNING id`,
    Object.values(fields),
  );
  return row?.id as string;
}
