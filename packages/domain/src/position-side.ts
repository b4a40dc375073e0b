/** Which way a position goes. */
export type PositionSide = 'long' | 'short';

/** Venues write "buy" or "long" for a long position; anything else is a short one (console spec, section 3). */
export function readSide(side: string): PositionSide {
  return ['buy', 'long'].includes(side.trim().toLowerCase()) ? 'long' : 'short';
}
