/** A cell of two lines, which a card has at its end. */
export const LINES = 'block max-md:text-end md:py-1';
/** Its second line. */
export const BELOW = 'block text-xs text-muted';
