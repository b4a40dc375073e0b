import { createStore } from '../../lib/store.ts';

/** Whether the search is open, on whatever screen. */
export const isPaletteOpen = createStore(false);
