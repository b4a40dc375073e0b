import { createStore } from '../../lib/store.ts';
import type { Found } from './search-query.ts';

/** Whether the search is open, on whatever screen. */
export const isPaletteOpen = createStore(false);

const MOST_RECENT = 5;
/** What was found and opened last, the latest first: in this tab, and no longer than it is open. */
export const recentlyFound = createStore<readonly Found[]>([]);

const isSame = (one: Found, other: Found) => one.kind === other.kind && one.id === other.id;

export function keepRecent(found: Found): void {
  const others = recentlyFound.get().filter((each) => !isSame(each, found));
  // What it owed or was then says nothing of now.
  const kept = { ...found, amount: null, status: null };
  recentlyFound.set([kept, ...others].slice(0, MOST_RECENT));
}

/** Whoever signs in next has neither opened it nor found anything. */
export function resetPalette(): void {
  isPaletteOpen.set(false);
  recentlyFound.set([]);
}
