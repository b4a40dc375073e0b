/** The words of a list in one text, as in `General, Trade`. */
export const listedWords = (list: string): string[] =>
  list
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');

/**
 * Whether a key's permissions let money leave the account; null: the venue does not list them, or lists one that we do
 * not know and no one that does. Unknown is never no.
 * @param leaving permissions to withdraw
 * @param staying all other permissions that are known
 */
export function mayLeave(
  permissions: readonly string[] | null | undefined,
  leaving: ReadonlySet<string>,
  staying: ReadonlySet<string>,
): boolean | null {
  if (!permissions) return null;
  if (permissions.some((word) => leaving.has(word))) return true;
  return permissions.every((word) => staying.has(word)) ? false : null;
}
