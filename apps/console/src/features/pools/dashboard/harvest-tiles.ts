/** Tiles of a panel with a line between them. */
export const TILES = 'grid grid-cols-2 gap-px bg-line sm:grid-cols-3 xl:grid-cols-6';
export const TILE = 'bg-surface';
