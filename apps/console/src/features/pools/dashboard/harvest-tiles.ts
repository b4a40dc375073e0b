/** The status beside the title. At phone width it has two lines below it. */
export const STATUS = 'flex min-h-5 flex-wrap content-start items-center gap-2 max-sm:min-h-12';

/** Tiles of a panel with a line between them. */
export const TILES = 'grid grid-cols-2 gap-px bg-line sm:grid-cols-3 xl:grid-cols-6';
export const TILE = 'bg-surface';
