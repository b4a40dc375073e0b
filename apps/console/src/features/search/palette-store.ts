import { createStore } from '../../lib/store.ts';
import type { Found } from './search-query.ts';

/** Whether the search is open, on whatever screen. */
export const isPaletteOpen = createStore(false);

const MOST_RECENT = 5;
/** What was found and opened last, the latest first. Kept in this tab only, while it is open. */
export const recentlyFound = createStore<readonly Found[]>([]);

const isSame = (one: Found, other: Found) => one.kind === other.kind && one.id === other.id;

export function keepRecent(found: Found): void {
  const others = recentlyFound.get().filter((each) => !isSame(each, found));
  // Amount and status would be out of date.
  const kept = { ...found, amount: null, status: null };
  recentlyFound.set([kept, ...others].slice(0, MOST_RECENT));
}

/** The next person to sign in starts with a closed search that has found nothing. */
export function resetPalette(): void {
  isPaletteOpen.set(false);
  recentlyFound.set([]);
}
