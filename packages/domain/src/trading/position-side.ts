export const POSITION_SIDES = ['long', 'short'] as const;
/** The direction of a position. */
export type PositionSide = (typeof POSITION_SIDES)[number];

/** Venues write "buy" or "long" for a long position; anything else is a short one (console spec, section 3). */
export function readSide(side: string): PositionSide {
  return ['buy', 'long'].includes(side.trim().toLowerCase()) ? 'long' : 'short';
}
