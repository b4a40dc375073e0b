import { searchedText } from '@copydesk/domain/text';

/** Shorter parts of a name are in nearly every name. */
export const SHORTEST_NAME = 3;
const MOST = 3;

/** The first few of the named things whose name contains what was searched for. */
export function namedLike<T extends { label: string }>(things: readonly T[], search: string): T[] {
  const wanted = searchedText(search).toLowerCase();
  if (wanted.length < SHORTEST_NAME) return [];
  return things.filter(({ label }) => label.toLowerCase().includes(wanted)).slice(0, MOST);
}
